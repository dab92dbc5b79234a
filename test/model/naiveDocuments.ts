/** Documents of the naive engine from JSON, through the real mapping: what is written into a batch is read back. */

import { BatchWriter, BOOSTED, GIVEN } from '../../host/core/batch.js';
import { DocumentParser } from '../../host/mapping/documents.js';
import type { MappingModel } from '../../host/mapping/model.js';
import { NaiveIndex, type NaiveDocument, type NaiveValue, termKey } from './naiveIndex.js';
import { tokenize } from './support.js';

/** A value of a document; `gap` is that of one without tokens, which moves the next one on by so many positions. */
interface BatchValue {
  field: number;
  bytes: Uint8Array;
  gap?: number;
}

/** An operation of a batch. */
export type Operation = { index: number; values: BatchValue[] } | { delete: number };

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
    const values: BatchValue[] = [];
    at += 13;
    while (at < end) {
      const header = view.getUint32(at + 2, true);
      const length = header & 0x3fff_ffff;
      const value = { field: view.getUint16(at, true), bytes: bytes.slice(at + 6, at + 6 + length) };
      // Of given tokens there is only this here.
      const isGap = (header & GIVEN) !== 0 && view.getUint32(at + 6, true) === 0;
      values.push(isGap ? { ...value, gap: view.getUint32(at + 10, true) } : value);
      at += 6 + length + ((header & BOOSTED) === 0 ? 0 : 4);
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
    for (const { field, bytes, gap } of operation.values) {
      const { analyzer, boost, positionGap } = definitions[field]!;
      if (gap !== undefined) {
        next.set(field, next.get(field)! + positionGap + gap);
        continue;
      }
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
