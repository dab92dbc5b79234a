/** Documents of one server that another one hasn't got, or has in another version: ids are read page by page and asked for there. */
import { elements, memberOf, valueAt } from '../jsonSlices.js';
import type { Hit } from '../remote/hits.js';
import { type ReadingOptions, readDocuments } from '../remote/reading.js';
import { encoded, errorOf, Refused, type Requests } from '../remote/requests.js';
import type { ScrollOptions } from '../remote/scroll.js';
import { movedHit, type PlaceOfDocuments } from './part.js';

/** A document that isn't the same on both. */
export interface UnlikeDocument {
  hit: Hit;
  /** JSON of its version there; undefined if it isn't there. */
  version: string | undefined;
}

interface Side {
  requests: Requests;
  place: PlaceOfDocuments;
}

/** Finds them. Throws {@link Refused} where the other server doesn't tell of one. */
export async function* unlikeDocuments(
  one: Side,
  other: Side,
  options: Pick<ScrollOptions, 'size' | 'hasStoredFieldsOnly'>,
  reading: ReadingOptions,
): AsyncGenerator<UnlikeDocument> {
  const scrolled = { ...options, ...one.place, hasSources: false };
  for await (const page of readDocuments(one.requests, scrolled, reading)) {
    const versions = await versionsOf(other, page);
    for (const [i, hit] of page.entries())
      if (versions[i] !== hit.metadata.get('_version')) yield { hit, version: versions[i] };
  }
}

async function versionsOf({ requests, place }: Side, hits: readonly Hit[]): Promise<(string | undefined)[]> {
  const docs = hits.map((hit) => {
    const { metadata } = movedHit(hit, place);
    const kept = ['_type', '_id', '_routing', '_parent'].filter((name) => metadata.has(name));
    return `{${kept.map((name) => `"${name}":${metadata.get(name)}`).join(',')}}`;
  });
  const path = `/${encoded(place.index)}/_mget?_source=false`;
  const answer = await requests.send('POST', path, `{"docs":[${docs.join(',')}]}`);
  const { status, body } = answer;
  if (status >= 300)
    throw new Refused(`${requests.name}${path} answers with ${status}: ${errorOf(answer)}`, status);
  const list = memberOf(body, 0, 'docs');
  const found = list === undefined ? [] : [...elements(body, list.from)].map(({ from }) => from);
  if (found.length !== hits.length)
    throw new Refused(`${requests.name}${path} answers for ${found.length} of ${hits.length}`, status);
  return found.map((at) => {
    // 0.90 says `exists`.
    const there = memberOf(body, at, 'found') ?? memberOf(body, at, 'exists');
    const version = memberOf(body, at, '_version');
    const isThere = there === undefined ? undefined : valueAt(body, there);
    if (isThere === false) return undefined;
    if (isThere !== true || version === undefined)
      throw new Refused(`${requests.name}${path} doesn't tell of every document`, status);
    return body.toString('utf8', version.from, version.to);
  });
}
