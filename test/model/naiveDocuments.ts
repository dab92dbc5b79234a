/** Documents of the naive engine from JSON, through the real mapping: what is written into a batch is read back. */

import { BatchWriter } from '../../host/core/batch.js';
import { DocumentParser } from '../../host/mapping/documents.js';
import type { MappingModel } from '../../host/mapping/model.js';
import { NaiveIndex, type NaiveDocument, type NaiveValue, termKey } from './naiveIndex.js';
import { tokenize } from './support.js';

/** An operation of a batch. */
export type Operation =
  | { index: number; values: { field: number; bytes: Uint8Array }[] }
  | { delete: number };

/** Reads a batch back. */
export function readBatch(bytes: Uint8Array): Operation[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const operations: Operation[] = [];
  let at = 0;
  while (at < bytes.length) {
    const kind = view.getUint8(at);
    const key = Number(view.getBigUint64(at + 1, true));
    if (kind === 2) {
      operations.push({ delete: key });
      at += 9;
      continue;
    }
    if (kind !== 1) throw new Error(`bad operation ${kind}`);
    const end = at + 13 + view.getUint32(at + 9, true);
    const values: { field: number; bytes: Uint8Array }[] = [];
    at += 13;
    while (at < end) {
      const length = view.getUint32(at + 2, true);
      values.push({ field: view.getUint16(at, true), bytes: bytes.slice(at + 6, at + 6 + length) });
      at += 6 + length;
    }
    if (at !== end) throw new Error('values beyond their document');
    operations.push({ index: key, values });
  }
  return operations;
}

const decoder = new TextDecoder();

/** The documents of a batch as the core would see them. */
export function documentsOf(model: MappingModel, bytes: Uint8Array): NaiveDocument[] {
  const definitions = model.fieldDefinitions();
  const documents: NaiveDocument[] = [];
  for (const operation of readBatch(bytes)) {
    if ('delete' in operation) {
      const target = documents.find((document) => document.key === operation.delete);
      if (target !== undefined) target.deleted = true;
      continue;
    }
    const fields = new Map<number, NaiveValue>();
    const next = new Map<number, number>();
    for (const { field, bytes } of operation.values) {
      const { analyzer, boost, positionGap } = definitions[field]!;
      const value = fields.get(field) ?? { tokens: [], boost: 1 };
      let position = next.get(field) ?? 0;
      if (fields.has(field)) position += positionGap;
      const terms =
        analyzer === '' ? [termKey(bytes)] : tokenize(decoder.decode(bytes)).map((t) => termKey(t.term));
      for (const term of terms) value.tokens.push({ term, position: position++ });
      value.boost = Math.fround(value.boost * boost);
      fields.set(field, value);
      next.set(field, position);
    }
    documents.push({ key: operation.index, fields, deleted: false });
  }
  return documents;
}

/** An index of these sources, whose keys count from 0. */
export function indexOf(model: MappingModel, sources: readonly unknown[], type = 'doc'): NaiveIndex {
  const batch = new BatchWriter();
  const parser = new DocumentParser(model);
  sources.forEach((source, key) => {
    parser.parse(batch, key, { type, id: String(key), source });
  });
  const flags = new Map(model.fieldDefinitions().map((definition) => [definition.field, definition.flags]));
  return new NaiveIndex(documentsOf(model, batch.bytes()), flags);
}
