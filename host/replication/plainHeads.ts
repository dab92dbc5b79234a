/**
 * The heads of operations in a message of a log, where all of them are plain: documents that are indexed, and nothing is said of them but their
 * ids. They are read as the writer has written them, letter for letter. JSON's parser takes several times as long, for an object of each that is
 * thrown away; whatever is written in another way is left to it.
 */
import type { Operation } from '../shard/operation.js';

/** What is between the head of a message and the heads of its operations. */
export const OPS = ',"ops":[';
const TYPE = '{"kind":"index","type":"';
const ID = '","id":"';
const CREATE = '","create":true,"bytes":';
const BYTES = '","bytes":';
/** Digits of a length, at most. */
const MOST_DIGITS = 9;
const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;
const BRACE = 0x7d;

/** Operations without their sources. */
export interface PlainHeads {
  /** Where the first one begins in the header; the header without them goes on with what closes it. */
  readonly from: number;
  readonly ops: Operation[];
  /** The lengths of the sources. */
  readonly sizes: number[];
}

/** Reads the operations of a header, if all are plain and nothing comes behind them; undefined otherwise. */
export function plainHeadsOf(header: string): PlainHeads | undefined {
  const before = header.indexOf(OPS);
  if (before < 0) return undefined;
  const from = before + OPS.length;
  const ops: Operation[] = [];
  const sizes: number[] = [];
  let type = '';
  for (let at = from; ; at++) {
    if (!header.startsWith(TYPE, at)) return undefined;
    const typeFrom = at + TYPE.length;
    // Most have the type of the one before.
    const isSame = header.startsWith(type, typeFrom) && header.charCodeAt(typeFrom + type.length) === QUOTE;
    const typeEnd = isSame ? typeFrom + type.length : endOfText(header, typeFrom);
    if (!header.startsWith(ID, typeEnd)) return undefined;
    if (!isSame) type = header.slice(typeFrom, typeEnd);
    const idFrom = typeEnd + ID.length;
    const idEnd = endOfText(header, idFrom);
    const isPlain = header.startsWith(BYTES, idEnd);
    if (!isPlain && !header.startsWith(CREATE, idEnd)) return undefined;
    const sizeFrom = idEnd + (isPlain ? BYTES : CREATE).length;
    const sizeEnd = endOfNumber(header, sizeFrom);
    if (sizeEnd < 0 || header.charCodeAt(sizeEnd) !== BRACE) return undefined;
    ops.push(newOperation('index', type, header.slice(idFrom, idEnd), !isPlain));
    sizes.push(numberOf(header, sizeFrom, sizeEnd));
    at = sizeEnd + 1;
    if (header.charCodeAt(at) === COMMA) continue;
    return header.length === at + 2 && header.endsWith(']}') ? { from, ops, sizes } : undefined;
  }
}

/** Where a text ends in which nothing is escaped, nor should be; nowhere otherwise. */
function endOfText(header: string, from: number): number {
  for (let at = from; at < header.length; at++) {
    const unit = header.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === BACKSLASH || unit < 0x20) break;
  }
  return Number.POSITIVE_INFINITY;
}

/** Where a length ends; -1 where there is none as JSON has it. */
function endOfNumber(header: string, from: number): number {
  let at = from;
  while (at - from < MOST_DIGITS && isDigit(header.charCodeAt(at))) at++;
  return at === from || (at > from + 1 && header.charCodeAt(from) === ZERO) ? -1 : at;
}

function numberOf(header: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = 10 * number + header.charCodeAt(at) - ZERO;
  return number;
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

/** One literal with all that an operation may have: objects that get their parts one by one are slow ones. */
export function newOperation(kind: Operation['kind'], type: string, id: string, create: boolean): Operation {
  return {
    kind,
    type,
    id,
    create: create ? true : undefined,
    forgotten: undefined,
    routing: undefined,
    parent: undefined,
    timestamp: undefined,
    ttl: undefined,
    times: undefined,
    version: undefined,
    versionType: undefined,
    source: undefined,
    now: undefined,
    expected: undefined,
    refused: undefined,
    change: undefined,
  };
}
