/** No document. */

import { NodeCode } from '../../core/abi/plan.js';
import type { Printed } from '../printed.js';
import type { NodeKind } from './kind.js';

export interface NoneNode extends Printed {
  kind: 'none';
}

export const noneKind: NodeKind<NoneNode> = {
  isUnkept: true,
  write(_, out) {
    out.u8(NodeCode.none);
  },
  print: () => 'MatchNoDocsQuery',
  required: () => [],
};
