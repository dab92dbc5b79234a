/** Hits of a search with what it takes to write their documents again. Sources, ids and numbers stay the bytes that they were. */
import { isBlank, type Member, members, NoJson, onOneLine, valueAt } from '../jsonSlices.js';

/** What of a hit goes into the action that writes it again. */
const KEPT = new Set(['_id', '_type', '_routing', '_parent', '_version', '_timestamp', '_ttl']);

/** A document. */
export interface Hit {
  id: string;
  /** `_id`, `_type`, `_routing`, `_parent`, `_version`, `_timestamp`, `_ttl`, as far as it has them: their JSON. */
  metadata: Map<string, string>;
  /** JSON on one line. */
  source: Buffer;
}

/** A document whose source may not be stored, or wasn't asked for. */
export type BareHit = Omit<Hit, 'source'> & { source: Buffer | undefined };

/** Reads a hit with its source; undefined if it has no id or no source, or is none. */
export function readHit(bytes: Buffer): Hit | undefined {
  const hit = readBareHit(bytes);
  return hit?.source === undefined ? undefined : { ...hit, source: hit.source };
}

/**
 * Reads a hit, with its metadata beside `_source`, or in `fields`; undefined if it has no id, or is none.
 * @param bytes its JSON, which may have blanks behind it
 */
export function readBareHit(bytes: Buffer): BareHit | undefined {
  const metadata = new Map<string, string>();
  let source: Buffer | undefined;
  let id: unknown;
  try {
    const found = members(bytes, 0);
    let next = found.next();
    for (; !next.done; next = found.next()) {
      const { name, from, to } = next.value;
      if (name === '_source') source = onOneLine(bytes.subarray(from, to));
      else if (name === 'fields') {
        for (const field of members(bytes, from)) keep(metadata, bytes, field);
      } else if (name === '_id') {
        id = valueAt(bytes, { from, to });
        keep(metadata, bytes, next.value);
      } else keep(metadata, bytes, next.value);
    }
    for (let behind = next.value; behind < bytes.length; behind++)
      if (!isBlank(bytes[behind])) return undefined;
  } catch (e) {
    if (!(e instanceof NoJson)) throw e;
    return undefined;
  }
  return typeof id === 'string' ? { id, metadata, source } : undefined;
}

/**
 * The line of a bulk that writes it again. A version stays, so that this may be done twice.
 * @param versionType `external` leaves a document of the same version alone, `force` puts older ones in the place of newer ones
 */
export function actionOf(
  { metadata }: Hit,
  versionType: 'external' | 'external_gte' | 'force' = 'external_gte',
): string {
  const versioned = metadata.has('_version') ? `,"_version_type":"${versionType}"` : '';
  return `{"index":{${metadataText(metadata)}${versioned}}}`;
}

/** The members of an object that has the metadata. */
export function metadataText(metadata: ReadonlyMap<string, string>): string {
  return [...metadata].map(([name, json]) => `"${name}":${json}`).join(',');
}

/** Only texts and numbers can be metadata; what comes from field data is a list of one. */
function keep(metadata: Map<string, string>, bytes: Buffer, { name, from, to }: Member): void {
  if (!KEPT.has(name)) return;
  const value = valueAt(bytes, { from, to });
  if (value === null) return;
  if (Array.isArray(value)) {
    if (typeof value[0] === 'number') metadata.set(name, String(value[0]));
    return;
  }
  if (typeof value !== 'string' && typeof value !== 'number') throw new NoJson(`${name} is no text`);
  metadata.set(name, bytes.toString('utf8', from, to));
}
