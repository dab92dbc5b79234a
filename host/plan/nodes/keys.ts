/** Documents by key. */

import { NodeCode } from '../../core/abi/plan.js';
import type { PlanBytes } from '../../core/planBytes.js';
import type { Printed } from '../printed.js';
import type { NodeKind } from './kind.js';

export interface KeysNode extends Printed {
  kind: 'keys';
  keys: number[];
}

export const keysKind: NodeKind<KeysNode> = {
  isUnkept: true,
  write(node, out) {
    out.u8(NodeCode.keys);
    writeKeys(node.keys, out);
  },
};

/** Bytes of a key. */
export const KEY_BYTES = 8;

/** Keys in ascending order, each once, with 64 bits. */
export function writeKeys(keys: readonly number[], out: PlanBytes): void {
  const ascending = [...new Set(keys)].sort((a, b) => a - b);
  out.u32(ascending.length);
  for (const key of ascending) {
    out.u32(key >>> 0);
    out.u32(Math.floor(key / 0x1_0000_0000));
  }
}
