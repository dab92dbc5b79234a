/** Payloads: bytes that filters put beside tokens, for term vectors to show. */
import type { Analyzer } from './analyzer.js';
import type { DefinitionSettings } from './settings.js';
import { ownValue } from '../ownNames.js';

/** The payload of a token, by the token as it came to the filter; undefined for none. */
export type PayloadOf = (term: string, type: string) => Uint8Array | undefined;

/** What a filter of that type puts beside tokens; undefined if it puts nothing there. */
export function payloadFilter(type: string, settings: DefinitionSettings): PayloadOf | undefined {
  if (type === 'type_as_payload') return (_, kind) => utf8.encode(kind);
  if (type !== 'delimited_payload_filter') return undefined;
  const delimiter = settings.text('delimiter', '|').slice(0, 1);
  const encode = ownValue(ENCODINGS, settings.text('encoding', 'float'));
  return (term) => {
    const at = term.indexOf(delimiter);
    return at < 0 ? undefined : encode?.(term.slice(at + 1));
  };
}

const utf8 = new TextEncoder();

const ENCODINGS: Readonly<Record<string, (text: string) => Uint8Array | undefined>> = {
  float: (text) => number(text, (view, value) => view.setFloat32(0, value)),
  int: (text) => number(text, (view, value) => view.setInt32(0, value)),
  identity: (text) => utf8.encode(text),
};

/** A number in four bytes, the highest first; undefined for what is none. */
function number(text: string, write: (view: DataView, value: number) => void): Uint8Array | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isNaN(value)) return undefined;
  const bytes = new Uint8Array(4);
  write(new DataView(bytes.buffer), value);
  return bytes;
}

/** The payloads of the tokens of a text, by the places that the tokens have in it. */
export class Payloads {
  readonly #before: Analyzer;
  readonly #of: PayloadOf;

  /** @param before the analyzer as far as the filter that puts them there */
  constructor(before: Analyzer, of: PayloadOf) {
    this.#before = before;
    this.#of = of;
  }

  /** Finds those of a text. */
  read(text: string): (startOffset: number, endOffset: number) => Uint8Array | undefined {
    const found = new Map<string, Uint8Array>();
    for (const { term, type, startOffset, endOffset } of this.#before.analyze(text)) {
      const payload = this.#of(term, type);
      const place = `${startOffset} ${endOffset}`;
      if (payload !== undefined && payload.length > 0 && !found.has(place)) found.set(place, payload);
    }
    return (startOffset, endOffset) => found.get(`${startOffset} ${endOffset}`);
  }
}
