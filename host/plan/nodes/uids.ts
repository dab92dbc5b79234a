/** Documents by `type#id`. */

import { NodeCode } from '../../core/abi/plan.js';
import type { PlanShard } from '../plan.js';
import type { Printed } from '../printed.js';
import type { NodeWriter } from '../nodeBytes.js';
import { KEY_BYTES, writeKeys } from './keys.js';
import type { NodeKind } from './kind.js';

/** Documents by `type#id`; each shard has its own keys for them. */
export interface UidsNode extends Printed {
  kind: 'uids';
  uids: string[];
  /** What other uids begin with. */
  prefixes?: string[];
  /** Others: they begin so, and are accepted. */
  patterns?: { prefix: string; accepts(uid: string): boolean }[];
  /** Not the documents are meant, but the nested ones that are parts of them. */
  parts?: boolean;
}

export const uidsKind: NodeKind<UidsNode> = {
  isUnkept: true,
  write(node, out) {
    const ofParts = node.parts === true;
    out.u8(ofParts ? NodeCode.parts : NodeCode.keys);
    if (!leavesKeys(node, out)) writeKeys(keysOf(node, out.shard), out);
    if (ofParts) out.u8(0);
  },
  print: ({ uids }) =>
    uids
      .toSorted()
      .map((uid) => `_uid:${uid}`)
      .join(' '),
  dependsOnShard: () => true,
};

/** Leaves places for the keys, where a copy fills them in that knows them. Of how many others begin so is known there alone. */
function leavesKeys({ uids, prefixes = [], patterns = [] }: UidsNode, out: NodeWriter): boolean {
  const { documents } = out.shard;
  if (documents.fillLater === undefined || prefixes.length + patterns.length > 0) return false;
  const each = [...new Set(uids)];
  if (each.length === 0 || !documents.fillLater(out.length, each)) return false;
  out.u32(each.length);
  out.put(new Uint8Array(KEY_BYTES * each.length));
  return true;
}

function keysOf({ uids, prefixes = [], patterns = [] }: UidsNode, { documents }: PlanShard): number[] {
  const keys = [
    ...prefixes.flatMap((prefix) => documents.visibleKeys(prefix)),
    ...patterns.flatMap(({ prefix, accepts }) => documents.visibleKeys(prefix, accepts)),
  ];
  for (const uid of uids) {
    const key = documents.visibleKey(uid);
    if (key !== undefined) keys.push(key);
  }
  return keys;
}
