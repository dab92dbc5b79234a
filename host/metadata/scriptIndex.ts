/** The index that 1.7 keeps stored scripts in: one small shard, whatever templates and requests say. */
import type { JsonObject } from '../json/values.js';
import type { FlatSettings } from '../settings/indexSettings.js';

export const SCRIPT_INDEX = '.scripts';

/** Settings of an index of that name, which no other ones override. */
export const SCRIPT_SETTINGS: FlatSettings = {
  'index.number_of_shards': '1',
  'index.number_of_replicas': '0',
  'index.auto_expand_replicas': '0-all',
};

/** What the types of an index start from where it has no mapping `_default_`: scripts are kept, and not looked into. */
export function defaultMappingOf(index: string): JsonObject | undefined {
  return index === SCRIPT_INDEX ? SCRIPT_MAPPING : undefined;
}

const SCRIPT_MAPPING: JsonObject = {
  properties: { script: { type: 'object', enabled: false }, template: { type: 'object', enabled: false } },
};
