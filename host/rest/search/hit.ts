/** A hit as answers show it. */
import type { Explanation } from '../../explain/explanation.js';
import { Fielddata, type FielddataValue } from '../../mapping/fielddata.js';
import { ownValue, putOwn } from '../../ownNames.js';
import { scripts } from '../../script/lateScripts.js';
import { type NestedIdentity, pathOf } from '../../search/nestedObjects.js';
import type { Hit, InnerHits } from '../../search/ranking.js';
import type { SearchResponse } from '../../search/searchResponse.js';
import { fieldsOf, storedNames } from '../documents/documentFields.js';
import { Double, Float, type Json, Raw } from '../json.js';
import { fielddataJson, sortJson } from './sortValues.js';
import { shownSource } from './sourceParams.js';

/** What of the hits is shown. */
export type HitsShown = Pick<
  SearchResponse,
  'source' | 'version' | 'sortKeys' | 'node' | 'fields' | 'fielddata' | 'scriptFields' | 'partialFields'
>;

/** One hit. */
export function renderHit(hit: Hit, response: HitsShown): Json {
  const { index, score, document, nested, sortValues, matched, shard, explanation, highlight, inner } = hit;
  const { source, version, sortKeys } = response;
  const shown = shownSource(document.source, source);
  const fields = allFields(response, hit);
  const isPlain = fields === undefined && highlight === undefined && matched === undefined && !version;
  const isScored = sortValues === undefined && explanation === undefined && nested === undefined;
  // Most hits are no more than this.
  if (isPlain && isScored && inner === undefined) {
    return {
      _index: index,
      _type: document.type,
      _id: document.id,
      _score: score === null ? null : new Float(score),
      _source: shown,
    };
  }
  return {
    _shard: explanation === undefined ? undefined : shard.number,
    _node: explanation === undefined ? undefined : (shard.node ?? response.node),
    _index: index,
    _type: document.type,
    _id: document.id,
    _nested: nested === undefined ? undefined : nestedJson(nested.identity),
    _version: version ? document.version : undefined,
    _score: score === null ? null : new Float(score),
    _source: shown,
    fields,
    highlight: highlight as Json | undefined,
    matched_queries: matched === undefined || matched.length === 0 ? undefined : [...matched],
    sort: sortValues === undefined ? undefined : sortJson(sortValues, sortKeys ?? []),
    _explanation: explanation === undefined ? undefined : explanationJson(explanation),
    inner_hits: inner === undefined ? undefined : innerJson(inner, response.node),
  };
}

/** The hits of a search within another one. */
function renderHits({ total, maxScore, hits, search }: InnerHits, node: string): Json {
  const shown = { ...search, sortKeys: search.sort?.keys, node };
  return {
    total,
    max_score: maxScore === null ? null : new Float(maxScore),
    hits: hits.map((hit) => renderHit(hit, shown)),
  };
}

function innerJson(inner: ReadonlyMap<string, InnerHits>, node: string): Json {
  const out: Record<string, Json> = {};
  for (const [name, found] of inner) putOwn(out, name, { hits: renderHits(found, node) });
  return out;
}

/** Where an object of a nested field stands. */
function nestedJson({ field, offset, inner }: NestedIdentity): Json {
  return { field, offset, _nested: inner === undefined ? undefined : nestedJson(inner) };
}

/** An explanation as 1.7 shows it. */
export function explanationJson({ value, description, details }: Explanation): Json {
  return {
    value: new Float(value),
    description,
    details: details.length === 0 ? undefined : details.map(explanationJson),
  };
}

/** The values of two lists in one. */
function joined(before: Json | undefined, after: Json[]): Json[] {
  return before === undefined ? after : [...(Array.isArray(before) ? before : [before]), ...after];
}

/** Values, less those that fields' filters have taken away. */
function leftOf(
  values: Map<string, FielddataValue[]>,
  kept: Hit['kept'],
): ReadonlyMap<string, readonly FielddataValue[]> {
  if (kept === undefined) return values;
  const left = new Map(values);
  for (const [name, own] of kept) {
    if (own.length === 0) left.delete(name);
    else if (left.has(name)) left.set(name, [...own]);
  }
  return left;
}

/** The fields that the scripts of a search read, each once. */
const scriptNames = new WeakMap<HitsShown['scriptFields'], readonly string[]>();

function namesIn(scriptFields: HitsShown['scriptFields']): readonly string[] {
  let names = scriptNames.get(scriptFields);
  if (names === undefined) {
    const fields = scriptFields.flatMap(({ script }) =>
      typeof script === 'function' ? [] : scripts.loaded.fieldsIn(script.expression),
    );
    names = [...new Set(fields)];
    scriptNames.set(scriptFields, names);
  }
  return names;
}

/** The fields of a hit: what its source has, what is indexed of it, and what scripts make of that. */
function allFields(
  { fields, fielddata, scriptFields, partialFields }: HitsShown,
  { document, nested, model, kept, score }: Hit,
): Json | undefined {
  const values = nested?.alone ?? document;
  const path = nested === undefined ? undefined : pathOf(nested.identity);
  const stored =
    fields === undefined
      ? undefined
      : fieldsOf(storedNames(fields, model), values, model, { by: 'search', path });
  if (fielddata.length + scriptFields.length + partialFields.size === 0) return stored;
  // What the mapping hides of a source is indexed all the same.
  const whole = nested?.holder ?? { ...document, source: document.whole ?? document.source };
  const place = nested?.place ?? 0;
  const read = new Fielddata(model);
  const made: Record<string, Json> = {};
  for (const [name, part] of partialFields) putOwn(made, name, [shownSource(document.source, part) ?? {}]);
  const names = namesIn(scriptFields);
  const computed = names.length === 0 ? new Map() : read.values(whole, names, place);
  for (const { name, script } of scriptFields)
    putOwn(
      made,
      name,
      typeof script === 'function'
        ? new Raw(script({ fielddata: read, model, document: whole, place, source: document.source, score }))
        : [new Double(scripts.loaded.valueFor(script, computed))],
    );
  const out: Record<string, Json> = { ...(stored as Record<string, Json> | undefined) };
  const indexed =
    fielddata.length === 0 ? {} : fielddataJson(leftOf(read.values(whole, fielddata, place), kept));
  // A name that is asked for again adds its values again.
  for (const name of fielddata) {
    const own = ownValue(indexed, name);
    if (own !== undefined) putOwn(out, name, joined(ownValue(out, name), own));
  }
  return { ...out, ...made };
}
