import { StageKind } from '../../core/abi/stages.js';
import { type CorePart, corePart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';

/** The filter `delimited_payload_filter`: `delimiter`. Its payloads are found by `payloads.ts`. */
export function delimitedPayload(settings: DefinitionSettings): CorePart {
  const delimiter = settings.text('delimiter', '|').codePointAt(0) ?? 0x7c;
  return corePart(StageKind.delimitedPayload, (args) => args.u32(delimiter));
}
