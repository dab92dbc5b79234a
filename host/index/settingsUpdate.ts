/** Changes of an index's settings: which may be made when, and what their values may be. */
import { ElasticsearchError, illegalArgument, validationFailed } from '../errors.js';
import { wildcard } from './names.js';
import { parseTime } from '../mapping/durations.js';
import { type FlatSettings, readSettings, type IndexSettings } from './settings.js';

/** Why a value can't be meant; undefined for a good one. */
type Check = (value: string, key: string) => string | undefined;

const any: Check = () => undefined;
const integer: Check = (value) =>
  /^[+-]?\d{1,10}$/.test(value) ? undefined : `cannot parse value [${value}] as an integer`;
const nonNegative: Check = (value, key) =>
  integer(value, key) ??
  (Number(value) < 0 ? `the value of the setting ${key} must be a non negative integer` : undefined);
const time: Check = (value) => {
  try {
    parseTime(value);
    return undefined;
  } catch {
    return `cannot parse value [${value}] as time`;
  }
};
const bytes: Check = (value) =>
  /^-?\d+(\.\d+)?([kmgtp]?b?)?$/i.test(value) ? undefined : `cannot parse value [${value}] as a size`;

/** Settings that may change while an index is open. */
const DYNAMIC: readonly [pattern: string, check: Check][] = [
  ['index.number_of_replicas', nonNegative],
  ['index.auto_expand_replicas', any],
  ['index.refresh_interval', time],
  ['index.gc_deletes', time],
  ['index.blocks.*', any],
  ['index.translog.flush_threshold_ops', integer],
  ['index.translog.flush_threshold_size', bytes],
  ['index.translog.flush_threshold_period', time],
  ['index.translog.interval', time],
  ['index.translog.sync_interval', time],
  ['index.translog.*', any],
  ['index.merge.*', any],
  ['index.routing.allocation.total_shards_per_node', integer],
  ['index.routing.allocation.*', any],
  ['index.search.slowlog.*', any],
  ['index.indexing.slowlog.*', any],
  ['index.warmer.enabled', any],
  ['index.ttl.disable_purge', any],
  ['index.cache.*', any],
  ['index.priority', any],
  ['index.codec.*', any],
  ['index.compound_format', any],
  ['index.compound_on_flush', any],
  ['index.recovery.*', any],
  ['index.store.throttle.*', any],
  ['index.unassigned.node_left.delayed_timeout', time],
];

const SHARDS = 'index.number_of_shards';
const REPLICAS = 'index.number_of_replicas';

/** An index as far as its settings go. */
export interface SettingsHolder {
  name: string;
  closed: boolean;
  settings: IndexSettings;
}

/** The settings of these indices after a change, in their order; if one can't have it, none has. */
export function changeSettings(indices: readonly SettingsHolder[], change: FlatSettings): IndexSettings[] {
  if (Object.keys(change).length === 0) throw validationFailed('no settings to update');
  if (change[SHARDS] !== undefined) throw illegalArgument("can't change the number of shards for an index");
  const problems: string[] = [];
  const fixed: string[] = [];
  for (const [key, value] of Object.entries(change)) {
    const check = DYNAMIC.find(([pattern]) => wildcard(pattern)(key))?.[1];
    if (check === undefined) fixed.push(key);
    const problem = check?.(value, key);
    if (problem !== undefined) problems.push(`[${key}] - ${problem}`);
  }
  if (problems.length > 0) throw illegalArgument(`can't process the settings: [${problems.join(', ')}]`);
  const open = indices.filter(({ closed }) => !closed).map(({ name }) => name);
  if (fixed.length > 0 && open.length > 0) {
    throw illegalArgument(
      `Can't update non dynamic settings[[${fixed.sort().join(', ')}]] for open indices [[${open.join(', ')}]]`,
    );
  }
  const shut = indices.filter(({ closed }) => closed).map(({ name }) => name);
  if (change[REPLICAS] !== undefined && shut.length > 0) {
    throw illegalArgument(
      `Can't update [${REPLICAS}] on closed indices [[${shut.join(', ')}]] - can leave index in an unopenable state`,
    );
  }
  return indices.map(({ name, settings }) => readSettings(name, { ...settings.flat, ...change }));
}

/** What the settings of an index may forbid. */
export type Block = 'read' | 'write' | 'metadata';

interface BlockSetting {
  setting: string;
  id: number;
  description: string;
  levels: readonly Block[];
}

const BLOCKS: readonly BlockSetting[] = [
  {
    setting: 'index.blocks.read_only',
    id: 5,
    description: 'index read-only (api)',
    levels: ['write', 'metadata'],
  },
  { setting: 'index.blocks.read', id: 7, description: 'index read (api)', levels: ['read'] },
  { setting: 'index.blocks.write', id: 8, description: 'index write (api)', levels: ['write'] },
  { setting: 'index.blocks.metadata', id: 9, description: 'index metadata (api)', levels: ['metadata'] },
];

function isUp(flat: FlatSettings, { setting }: BlockSetting): boolean {
  const value = flat[setting];
  return value !== undefined && !['false', '0', 'no', 'off'].includes(value);
}

/** The blocks that the settings put up. */
export function blocksOf(
  flat: FlatSettings,
): { id: number; description: string; levels: readonly Block[] }[] {
  return BLOCKS.filter((block) => isUp(flat, block)).map(({ id, description, levels }) => {
    return { id, description, levels };
  });
}

/** 403: what the settings forbid; undefined if they don't. Asked for each document that is written. */
export function blockError(flat: FlatSettings, what: Block): ElasticsearchError | undefined {
  let list = '';
  for (const block of BLOCKS) {
    if (isUp(flat, block) && block.levels.includes(what))
      list += `[FORBIDDEN/${block.id}/${block.description}];`;
  }
  if (list === '') return undefined;
  return new ElasticsearchError('ClusterBlockException', `blocked by: ${list}`);
}
