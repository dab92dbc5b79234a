/**
 * Places in a plan that are left for keys: who asks another node's copy for documents by their ids doesn't know under which keys searches find
 * them there. The copy fills them in as the search begins, so that nothing comes between.
 */
import { isObject } from '../json/values.js';
import { KEY_BYTES } from '../plan/nodes/keys.js';
import { bytesOver, MAX_UID_BYTES } from '../storage/records.js';

/** So many keys of a plan are filled in at most: they are found in one turn of the event loop. */
export const MOST_FILLED = 5000;

/** Where a list of keys stands in a plan, behind its length as a u32: one for each `type#id`. */
export interface KeyPlace {
  at: number;
  uids: readonly string[];
}

/** The places of a plan as another node names them. Throws for what is none. */
export function readKeyPlaces(value: unknown, plan: Uint8Array): KeyPlace[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw malformed();
  let left = MOST_FILLED;
  const view = new DataView(plan.buffer, plan.byteOffset, plan.length);
  return value.map((place: unknown): KeyPlace => {
    if (!isObject(place) || !Array.isArray(place.uids)) throw malformed();
    const { at, uids } = place;
    left -= uids.length;
    if (left < 0 || !uids.every((uid) => typeof uid === 'string')) throw malformed();
    if (!Number.isSafeInteger(at) || (at as number) < 0) throw malformed();
    const begins = at as number;
    if (begins + 4 + KEY_BYTES * uids.length > plan.length) throw malformed();
    if (view.getUint32(begins, true) !== uids.length) throw malformed();
    return { at: begins, uids: uids as string[] };
  });
}

/** The plan with its keys. @param keyOf the key of a document; one that isn't there gets 0, which none has */
export function fillKeys(
  plan: Uint8Array,
  places: readonly KeyPlace[],
  keyOf: (uid: string) => number | undefined,
): Uint8Array {
  const filled = plan.slice();
  const view = new DataView(filled.buffer);
  for (const { at, uids } of places)
    for (const [i, uid] of uids.entries()) {
      const key = bytesOver(MAX_UID_BYTES, uid) > 0 ? 0 : (keyOf(uid) ?? 0);
      const place = at + 4 + KEY_BYTES * i;
      view.setUint32(place, key >>> 0, true);
      view.setUint32(place + 4, Math.floor(key / 0x1_0000_0000), true);
    }
  return filled;
}

function malformed(): Error {
  return new Error('places for keys that are none');
}
