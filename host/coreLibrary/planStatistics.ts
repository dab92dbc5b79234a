/** Statistics as plans and results have them. */
import { textTerm } from '../mapping/terms.js';
import type { Statistics } from '../plan/statistics.js';
import { wrong } from './coreErrors.js';
import type { Fields } from './fields.js';
import type { FieldCounts, ScoringStatistics, TermCounts } from './statistics.js';

/** As plans have them. */
export function planStatistics({ terms, fields }: ScoringStatistics, known: Fields): Statistics {
  const number = (name: string): number => known.named(name).number;
  for (const { documents, occurrences } of [...terms, ...fields])
    if (!(documents >= 0 && occurrences >= -1)) throw wrong('statistics count documents and occurrences');
  return {
    terms: terms.map(({ field, term, documents, occurrences }) => ({
      field: number(field),
      term: textTerm(term),
      df: documents,
      frequency: occurrences,
    })),
    fields: fields.map(({ field, documents, occurrences }) => ({
      field: number(field),
      documents,
      frequency: occurrences,
    })),
  };
}

/** Reads what a plan that asks for statistics gives (assembly/search/README.md). */
export function readStatistics(bytes: Uint8Array, names: readonly string[]): ScoringStatistics {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf8 = new TextDecoder();
  const terms = new Map<string, TermCounts>();
  let at = 4;
  for (let i = view.getUint32(0, true); i > 0; i--) {
    const end = at + 16 + view.getUint16(at + 14, true);
    const found = {
      field: names[view.getUint16(at, true)]!,
      term: utf8.decode(bytes.subarray(at + 16, end)),
      documents: view.getUint32(at + 2, true),
      occurrences: view.getFloat64(at + 6, true),
    };
    // A term that stands in the query twice is told of twice.
    terms.set(JSON.stringify([found.field, found.term]), found);
    at = end;
  }
  const fields: FieldCounts[] = [];
  for (let i = view.getUint16(at, true), from = at + 2; i > 0; i--, from += 14)
    fields.push({
      field: names[view.getUint16(from, true)]!,
      documents: view.getUint32(from + 2, true),
      occurrences: view.getFloat64(from + 6, true),
    });
  return { terms: [...terms.values()], fields };
}
