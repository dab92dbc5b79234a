/**
 * The answer of a search whose hits are no more than documents, written as bytes at once: most are, and values that are made to be written
 * and thrown away were a tenth of what the main thread did for a search of ten hits.
 */

import type { Hit } from '../../search/ranking.js';
import type { SearchResponse } from '../../search/searchResponse.js';
import { TOO_LONG, Writer } from '../json.js';

/** Answers with more hits are written in turns. */
const MOST_HITS = 100;
/** Pages that may be begun. */
const PAGES = 2;

/** What `renderSearch` makes of a response, as bytes; undefined where it shows more than that, or is long. */
export function plainAnswer(response: SearchResponse, took: number): Uint8Array | undefined {
  if (!isPlain(response) || response.hits.length > MOST_HITS) return undefined;
  for (const hit of response.hits) if (!isPlainHit(hit)) return undefined;
  try {
    const out = new Writer(false, PAGES);
    write(response, took, out);
    return out.bytes();
  } catch (e) {
    if (e === TOO_LONG) return undefined;
    throw e;
  }
}

function isPlain(response: SearchResponse): boolean {
  const { shards, terminatedEarly, aggregations, facets, suggestions, version, source } = response;
  const { fields, fielddata, scriptFields, partialFields } = response;
  return (
    shards.failed === 0 &&
    terminatedEarly === undefined &&
    aggregations === undefined &&
    facets === undefined &&
    suggestions === undefined &&
    !version &&
    source.enabled &&
    source.includes.length + source.excludes.length === 0 &&
    fields === undefined &&
    fielddata.length + scriptFields.length + partialFields.size === 0
  );
}

function isPlainHit({ nested, sortValues, matched, explanation, highlight, inner }: Hit): boolean {
  return (
    nested === undefined &&
    sortValues === undefined &&
    matched === undefined &&
    explanation === undefined &&
    highlight === undefined &&
    inner === undefined
  );
}

function write({ shards, total, maxScore, hits, timedOut }: SearchResponse, took: number, out: Writer): void {
  out.text('{"took":');
  out.text(String(took));
  out.text(timedOut ? ',"timed_out":true,"_shards":{"total":' : ',"timed_out":false,"_shards":{"total":');
  out.text(String(shards.total));
  out.text(',"successful":');
  out.text(String(shards.total));
  out.text(',"failed":0},"hits":{"total":');
  out.text(String(total));
  out.text(',"max_score":');
  if (maxScore === null) out.text('null');
  else out.float(maxScore);
  out.text(',"hits":[');
  for (let i = 0; i < hits.length; i++) writeHit(hits[i]!, i > 0, out);
  out.text(']}}');
}

function writeHit({ index, score, document }: Hit, follows: boolean, out: Writer): void {
  const { type, id, source } = document;
  if (lastIndex !== index || lastType !== type) {
    lastIndex = index;
    lastType = type;
    head = `{"_index":${JSON.stringify(index)},"_type":${JSON.stringify(type)},"_id":`;
    nextHead = `,${head}`;
  }
  out.text(follows ? nextHead : head);
  out.string(id);
  out.text(',"_score":');
  if (score === null) out.text('null');
  else out.float(score);
  if (source.length > 0) {
    out.text(',"_source":');
    out.piece(source);
  }
  out.text('}');
}

/** How hits of the index and type begin that were written last, and such a hit behind another one. */
let lastIndex = '';
let lastType = '';
let head = '';
let nextHead = '';
