/** What a pattern says, as a tree. Case, flags and Java's spellings are resolved: leaves are sets of code points. */
import type { CodePointSet } from './codePointSet.js';

/** What may be asked of a position in the text beside what stands before and after it. */
export const Assertion = {
  /** The start of the text. */
  textStart: 0,
  /** The end of the text. */
  textEnd: 1,
  /** The end of the text, or before a line terminator that ends it. */
  lastLineEnd: 2,
  /** The same, with `\n` as the only line terminator. */
  lastUnixLineEnd: 3,
  /** The start of a line, which the end of the text never is. */
  lineStart: 4,
  unixLineStart: 5,
  /** The end of a line or of the text. */
  lineEnd: 6,
  unixLineEnd: 7,
  /** Between a word and what is none. */
  wordBoundary: 8,
  notWordBoundary: 9,
  /** The same, with words as Unicode's annex 18 has them. */
  unicodeWordBoundary: 10,
  notUnicodeWordBoundary: 11,
  /** The end of the match before, or where the search began. */
  searchStart: 12,
} as const;
export type Assertion = (typeof Assertion)[keyof typeof Assertion];

export type RepeatMode = 'greedy' | 'lazy' | 'possessive';

export type Node =
  | { readonly type: 'empty' }
  /** One code point of a set. */
  | { readonly type: 'set'; readonly set: CodePointSet }
  | { readonly type: 'sequence'; readonly items: readonly Node[] }
  /** One of the items, earlier ones preferred. */
  | { readonly type: 'choice'; readonly items: readonly Node[] }
  /** `max` is Infinity where there is none. */
  | {
      readonly type: 'repeat';
      readonly item: Node;
      readonly min: number;
      readonly max: number;
      readonly mode: RepeatMode;
    }
  | { readonly type: 'capture'; readonly item: Node; readonly index: number }
  /** The first way in which the item matches, and no other. */
  | { readonly type: 'atomic'; readonly item: Node }
  | { readonly type: 'assertion'; readonly assertion: Assertion }
  | { readonly type: 'look'; readonly item: Node; readonly ahead: boolean; readonly negated: boolean };

export const EMPTY: Node = { type: 'empty' };

/** Whether a node may match without taking anything; look-arounds and assertions do. */
export function isNullable(node: Node): boolean {
  switch (node.type) {
    case 'set':
      return false;
    case 'sequence':
      return node.items.every(isNullable);
    case 'choice':
      return node.items.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.item);
    case 'capture':
    case 'atomic':
      return isNullable(node.item);
    default:
      return true;
  }
}

/** Whether there is a capturing group in a node. */
export function hasCapture(node: Node): boolean {
  switch (node.type) {
    case 'capture':
      return true;
    case 'sequence':
    case 'choice':
      return node.items.some(hasCapture);
    case 'repeat':
    case 'atomic':
    case 'look':
      return hasCapture(node.item);
    default:
      return false;
  }
}

/** Whether a node matches in one way at most wherever it stands: then it is atomic by itself. */
export function hasOneWay(node: Node): boolean {
  switch (node.type) {
    case 'sequence':
      return node.items.every(hasOneWay);
    case 'choice':
      return false;
    case 'repeat':
      return node.mode === 'possessive' || (node.min === node.max && hasOneWay(node.item));
    case 'capture':
      return hasOneWay(node.item);
    default:
      return true;
  }
}

/** The most code points that a node takes; Infinity where there is no limit. */
export function maxLength(node: Node): number {
  switch (node.type) {
    case 'set':
      return 1;
    case 'sequence':
      return node.items.reduce((sum, each) => sum + maxLength(each), 0);
    case 'choice':
      return node.items.reduce((most, each) => Math.max(most, maxLength(each)), 0);
    case 'repeat': {
      const each = maxLength(node.item);
      return each === 0 || node.max === 0 ? 0 : each * node.max;
    }
    case 'capture':
    case 'atomic':
      return maxLength(node.item);
    default:
      return 0;
  }
}
