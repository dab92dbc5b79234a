/** What each part of an analyzer has made of a text, as the server tells, and what it changed of what the part before it had made. */
import { isObject, type Json, type JsonObject } from '../../api/json';

/** A token; offsets are in UTF-16 units of the text before any char filter. */
export interface Token {
  term: string;
  start: number;
  end: number;
  position: number;
  type: string;
  /** Stemmers leave it alone. */
  isKeyword: boolean;
}

/** A token of a stage, with what became of it there. */
export interface ChangedToken extends Token {
  kind: 'same' | 'added' | 'changed' | 'removed';
  /** What it was before; undefined for those that were not there. */
  before: string | undefined;
}

/** A part of an analyzer and what it gave. */
export interface Stage {
  kind: 'char filter' | 'tokenizer' | 'token filter';
  name: string;
  type: string;
  /** Of char filters: the text behind them. */
  text: string | undefined;
  /** With those that it removed, in the order of positions; of char filters none. */
  tokens: readonly ChangedToken[];
  /** What it did, in words. */
  summary: string;
}

export interface Analysis {
  /** `custom`, `built-in` or the type of its definition. */
  type: string;
  stages: readonly Stage[];
}

/** Reads the `detail` of an answer. */
export function readAnalysis(answer: JsonObject, text: string): Analysis {
  const detail = isObject(answer.detail) ? answer.detail : {};
  const stages: Stage[] = [];
  let before = text;
  for (const each of objects(detail.charfilters)) {
    const after = Array.isArray(each.filtered_text) ? each.filtered_text.map(String).join('') : '';
    stages.push({
      ...named(each),
      kind: 'char filter',
      text: after,
      tokens: [],
      summary: textSummary(before, after),
    });
    before = after;
  }
  let tokens: Token[] = [];
  const list = [...objects([detail.tokenizer ?? null]), ...objects(detail.tokenfilters)];
  list.forEach((each, i) => {
    const after = objects(each.tokens).map(readToken);
    const changed =
      i === 0
        ? after.map((token) => ({ ...token, kind: 'same' as const, before: undefined }))
        : changes(tokens, after);
    stages.push({
      ...named(each),
      kind: i === 0 ? 'tokenizer' : 'token filter',
      text: undefined,
      tokens: changed,
      summary: i === 0 ? counted(after.length, 'token') : summaryOf(changed, tokens, after),
    });
    tokens = after;
  });
  return { type: String(detail.analyzer_type ?? ''), stages };
}

/** The tokens that an analyzer gives in the end. */
export function lastTokens({ stages }: Analysis): ChangedToken[] {
  return (stages.at(-1)?.tokens ?? []).filter(({ kind }) => kind !== 'removed');
}

/**
 * What became of tokens: those of the same place in the text and of the same term stay, others of that place have changed, the rest is added or
 * removed.
 */
export function changes(before: readonly Token[], after: readonly Token[]): ChangedToken[] {
  const place = ({ start, end }: Token) => `${start}-${end}`;
  const left = new Map<string, Token[]>();
  for (const token of before) {
    const known = left.get(place(token));
    if (known === undefined) left.set(place(token), [token]);
    else known.push(token);
  }
  const take = (token: Token, isSame: (each: Token) => boolean): Token | undefined => {
    const list = left.get(place(token));
    const at = list?.findIndex(isSame) ?? -1;
    return at < 0 ? undefined : list!.splice(at, 1)[0];
  };
  const exact = after.map((token) => take(token, ({ term }) => term === token.term));
  // What char filters cut out may count to one of two tokens or to none: the same term that begins at the same place is the same.
  const byStart = new Map([...left.values()].flat().map((token) => [`${token.start} ${token.term}`, token]));
  const same = after.map((token, i) => {
    const found = exact[i] ?? byStart.get(`${token.start} ${token.term}`);
    if (exact[i] === undefined && found !== undefined) {
      byStart.delete(`${token.start} ${token.term}`);
      take(found, (each) => each === found);
    }
    return found;
  });
  const found = after.map((token, i): ChangedToken => {
    if (same[i] !== undefined) return { ...token, kind: 'same', before: token.term };
    const changed = take(token, () => true);
    return changed === undefined
      ? { ...token, kind: 'added', before: undefined }
      : { ...token, kind: 'changed', before: changed.term };
  });
  const removed = [...left.values()]
    .flat()
    .map((token): ChangedToken => ({ ...token, kind: 'removed', before: token.term }));
  return [...found, ...removed].sort((a, b) => a.position - b.position);
}

/** What a stage did to tokens, in words. */
function summaryOf(
  changed: readonly ChangedToken[],
  before: readonly Token[],
  after: readonly Token[],
): string {
  const count = (kind: ChangedToken['kind']) => changed.filter((each) => each.kind === kind).length;
  const parts = (['changed', 'added', 'removed'] as const).flatMap((kind) => {
    const n = count(kind);
    return n === 0 ? [] : [`${n} ${kind}`];
  });
  const keywords =
    after.filter(({ isKeyword }) => isKeyword).length - before.filter(({ isKeyword }) => isKeyword).length;
  if (keywords > 0) parts.push(`${keywords} kept from stemmers`);
  if (parts.length === 0 && isMoved(before, after)) parts.push('positions changed');
  return parts.length === 0 ? 'changes nothing' : `${parts.join(', ')}; ${counted(after.length, 'token')}`;
}

function isMoved(before: readonly Token[], after: readonly Token[]): boolean {
  return after.some(({ position }, i) => before[i]?.position !== position);
}

function textSummary(before: string, after: string): string {
  if (before === after) return 'changes nothing';
  const difference = after.length - before.length;
  if (difference === 0) return 'changes the text';
  return difference < 0
    ? `${counted(-difference, 'character')} less`
    : `${counted(difference, 'character')} more`;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

function readToken(token: JsonObject): Token {
  return {
    term: String(token.token ?? ''),
    start: Number(token.start_offset ?? 0),
    end: Number(token.end_offset ?? 0),
    position: Number(token.position ?? 0),
    type: String(token.type ?? ''),
    isKeyword: token.keyword === true,
  };
}

function named({ name, type }: JsonObject): { name: string; type: string } {
  return { name: String(name ?? ''), type: String(type ?? '') };
}

function objects(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
