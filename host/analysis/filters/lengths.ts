/** The filters that look at how long a term is, or how many there are. */
import { illegalArgument, javaIllegalArgument } from '../../errors.js';
import { StageKind } from '../../core/abi/stages.js';
import { type CorePart, corePart, type TokenFilterPart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { failing } from './failing.js';
import { refuseOutdated, refusePositionIncrements } from './keep.js';

/** The filter `length`: `min` and `max` UTF-16 units. */
export function length(settings: DefinitionSettings): TokenFilterPart {
  const min = settings.int('min', 0);
  const max = settings.int('max', 0x7fff_ffff);
  refusePositionIncrements(settings);
  if (min < 0) return failing(javaIllegalArgument('minimum length must be greater than or equal to zero'));
  if (min > max) {
    return failing(javaIllegalArgument('maximum length must not be greater than minimum length'));
  }
  return corePart(StageKind.length, (args) => args.u32(min).u32(max));
}

/** The filter `truncate`: `length` in UTF-16 units. */
export function truncate(settings: DefinitionSettings): CorePart {
  const units = settings.int('length', -1);
  if (units <= 0) throw illegalArgument('length parameter must be provided');
  return truncation(units);
}

/** `truncate` by its bare name leaves 10 units. */
export function truncateByName(): CorePart {
  return truncation(10);
}

function truncation(units: number): CorePart {
  return corePart(StageKind.truncate, (args) => args.u32(units));
}

/** The filter `limit`: `max_token_count`, `consume_all_tokens`. */
export function limit(settings: DefinitionSettings): TokenFilterPart {
  const count = settings.int('max_token_count', 1);
  const all = settings.flag('consume_all_tokens', false);
  if (count < 1) return failing(javaIllegalArgument('maxTokenCount must be greater than zero'));
  return corePart(StageKind.limit, (args) => args.u32(count).u8(all ? 1 : 0));
}

/** The filter `trim`. */
export function trim(settings: DefinitionSettings): CorePart {
  refuseOutdated(settings, 'update_offsets');
  return corePart(StageKind.trim);
}
