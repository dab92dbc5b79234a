/** Filters of fielddata as the core takes them (assembly/segment/fielddata.ts). */

import type { CoreField } from '../../core/instance.js';
import { ElasticsearchError, toElasticsearchError } from '../../errors.js';
import { Column, type LeafField } from '../../mapping/field.js';
import { fielddataFilter } from '../../mapping/fielddataFilter.js';
import type { MappingModel } from '../../mapping/model.js';
import { patterns } from './latePatterns.js';

const FILTER_BYTES = 20;

/** Filters by the settings that they are made of: a mapping that changes elsewhere has the same. */
const made = new WeakMap<Readonly<Record<string, string>>, Made>();

/** A filter, or why there is none where one is asked for. */
type Made = Uint8Array | ElasticsearchError | undefined;

/** The core's fields with the filters of their terms; of several types with a field the first decides. */
export function withFilters(model: MappingModel): readonly CoreField[] {
  const fields = model.coreFields();
  if (!model.hasFielddata) return fields;
  const seen = new Set<number>();
  const filters = new Map<number, Uint8Array>();
  for (const name of model.typeNames()) {
    for (const field of model.type(name)?.fields() ?? []) {
      if (field.number < 0 || seen.has(field.number)) continue;
      seen.add(field.number);
      const filter = filterOf(field);
      if (filter !== undefined) filters.set(field.number, filter);
    }
  }
  if (filters.size === 0) return fields;
  return fields.map((field) => {
    const filter = filters.get(field.field);
    return filter === undefined ? field : { ...field, filter };
  });
}

/** Whether sorting and aggregations see less of a field than what is indexed. */
export function isFiltered(field: LeafField): boolean {
  return filterOf(field) !== undefined;
}

/** Why the values of a field can't be had: its filter is no good. */
export function filterProblem(field: LeafField): ElasticsearchError | undefined {
  const filter = madeOf(field);
  return filter instanceof ElasticsearchError ? filter : undefined;
}

function filterOf(field: LeafField): Uint8Array | undefined {
  const filter = madeOf(field);
  return filter instanceof ElasticsearchError ? undefined : filter;
}

function madeOf(field: LeafField): Made {
  const { fielddata } = field.traits;
  const kind = (field.core?.flags ?? 0) & KINDS;
  if (fielddata === undefined || (kind !== 0 && kind !== Column.ordinal)) return undefined;
  if (!made.has(fielddata)) made.set(fielddata, encoded(field));
  return made.get(fielddata);
}

const KINDS = Column.long | Column.double | Column.ordinal | Column.geo;

function encoded(field: LeafField): Made {
  try {
    const filter = fielddataFilter(field.traits, field.fullName);
    if (filter === undefined) return undefined;
    const { min, max, minSegmentSize, pattern } = filter;
    const automaton = pattern === undefined ? new Uint8Array(0) : patterns.loaded.javaAutomaton(pattern, 0);
    const bytes = new Uint8Array(FILTER_BYTES + automaton.length);
    const view = new DataView(bytes.buffer);
    view.setFloat64(0, min, true);
    view.setFloat64(8, max, true);
    view.setUint32(16, Math.max(0, minSegmentSize), true);
    bytes.set(automaton, FILTER_BYTES);
    return bytes;
  } catch (e) {
    return toElasticsearchError(e);
  }
}
