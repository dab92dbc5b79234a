/**
 * Entries of completion fields as terms of the core, so that completions are a walk through a dictionary:
 *
 *     what is completed, in UTF-8: contexts, then tokens    0x00
 *     u32 weight, big endian    u16 bytes of the output, big endian    output, UTF-8    payload, JSON in UTF-8
 */
import type { Token } from '../analysis/analyzer.js';
import { ElasticsearchError } from '../errors.js';
import { MAX_TERM_BYTES } from './terms.js';

/** Stands between tokens, where separators count. */
const SEPARATOR = '\u001f';
/** Stands behind a context. */
const CONTEXT_END = '\u001d';
/** What inputs can't have: what ends and divides entries. */
const RESERVED = new Set(['\u0000', '\u001e', SEPARATOR]);
/** More readings of one text, which tokens at one place make, are left out. */
const MAX_READINGS = 256;

/** The weight of an entry without one, as it is written: the number of documents with its reading stands for it. */
export const NO_WEIGHT = 0xffff_ffff;

/** What a completion comes to. */
export interface CompletionEntry {
  output: string;
  /** As it was given, or none. */
  weight: number;
  /** JSON; empty where there is none. */
  payload: string;
}

/** Whether tokens keep their distances, and what is between them. */
export interface CompletionForm {
  preserveSeparators: boolean;
  preservePositionIncrements: boolean;
}

/** The texts that tokens stand for: one, unless some of them share a place. */
export function readingsOf(tokens: readonly Token[], form: CompletionForm): string[] {
  const { preserveSeparators, preservePositionIncrements } = form;
  let readings: string[] = [];
  let position = 0;
  for (let i = 0; i < tokens.length; ) {
    const at = tokens[i]!.position;
    const terms = new Set<string>();
    for (; i < tokens.length && tokens[i]!.position === at; i++) terms.add(tokens[i]!.term);
    const gap = preservePositionIncrements ? at - position : 1;
    const between = preserveSeparators ? SEPARATOR.repeat(position === 0 ? gap - 1 : gap) : '';
    const before = position === 0 ? [''] : readings;
    readings = before
      .flatMap((reading) => [...terms].map((term) => reading + between + term))
      .slice(0, MAX_READINGS);
    position = at;
  }
  return readings;
}

/** Contexts in front of what is completed. */
export function behindContexts(contexts: readonly string[]): string {
  return contexts.map((context) => context + CONTEXT_END).join('');
}

/** The first character of a text that inputs can't have, or -1. */
export function reservedAt(text: string): number {
  for (let i = 0; i < text.length; i++) if (RESERVED.has(text[i]!)) return i;
  return -1;
}

const utf8 = new TextEncoder();
const text = new TextDecoder('utf-8', { ignoreBOM: true });

/** The term of an entry. */
export function completionTerm(completed: string, { output, weight, payload }: CompletionEntry): Uint8Array {
  const [head, shown, rest] = [utf8.encode(completed), utf8.encode(output), utf8.encode(payload)];
  const term = new Uint8Array(head.length + 7 + shown.length + rest.length);
  if (term.length > MAX_TERM_BYTES) {
    throw new ElasticsearchError(
      'ElasticsearchIllegalArgumentException',
      `a completion with its output and payload may take ${MAX_TERM_BYTES} bytes, this one takes ${term.length}`,
    );
  }
  const view = new DataView(term.buffer);
  term.set(head);
  view.setUint32(head.length + 1, weight);
  view.setUint16(head.length + 5, shown.length);
  term.set(shown, head.length + 7);
  term.set(rest, head.length + 7 + shown.length);
  return term;
}

/** The entry of a term, and what is completed. */
export function completionEntry(term: Uint8Array): CompletionEntry & { reading: string } {
  const head = term.indexOf(0);
  const view = new DataView(term.buffer, term.byteOffset, term.byteLength);
  const output = head + 7 + view.getUint16(head + 5);
  return {
    reading: text.decode(term.subarray(0, head)),
    weight: view.getUint32(head + 1),
    output: text.decode(term.subarray(head + 7, output)),
    payload: text.decode(term.subarray(output)),
  };
}
