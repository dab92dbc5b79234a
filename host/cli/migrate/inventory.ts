/** What an old server has besides documents. Shapes of 0.90 and of 1.x are read; what is handed on has those of 1.x. */
import { withoutOwn } from '../copy/indexSettings.js';
import { askJson, encoded, Refused, type Requests } from '../remote/requests.js';

type Bag = Record<string, unknown>;

/** An index. */
export interface OldIndex {
  name: string;
  /** Closed indices can't be read. */
  isClosed: boolean;
  /** Shards that no node has, so that their documents can't be read. */
  missingShards: number;
  documents: number;
  settings: Bag;
  /** Settings that would keep it from being written, as they are there. */
  blocks: string[];
  mappings: Record<string, Bag>;
  aliases: Record<string, Bag>;
  warmers: Record<string, { types?: string[]; source?: unknown }>;
}

export interface Plugin {
  name: string;
  /** It has pages and nothing else. */
  isSite: boolean;
}

export interface Inventory {
  version: string;
  /** Before 1.0: no `.scripts`, and percolator queries in an index of their own. */
  isBeforeOne: boolean;
  indices: OldIndex[];
  templates: Record<string, Bag>;
  plugins: Plugin[];
  /** Names of settings in the old server's file that say something about all indices: `index.analysis.analyzer.mine.type`. */
  fileSettings: string[];
  /** Names of settings that were put on the cluster, and last. */
  clusterSettings: string[];
  rivers: string[];
  hasScripts: boolean;
  /** Indices with percolator queries; of 0.90 alone. */
  hasPercolatorIndex: boolean;
}

/** Where stored scripts are, in 1.x. */
export const SCRIPTS = '.scripts';
/** Where percolator queries are, before 1.0: a type for each index. */
export const OLD_PERCOLATOR = '_percolator';
const RIVERS = '_river';
/** Indices that have no documents of their own. */
const INNER: readonly string[] = [SCRIPTS, OLD_PERCOLATOR, RIVERS];
const CLOSED = 403;
const NOT_FOUND = 404;

/** Reads it. Throws {@link Refused} where the server is none of 0.90 or 1.x. @param pattern names, aliases and `*`, with commas between */
export async function readInventory(requests: Requests, pattern: string): Promise<Inventory> {
  const root = (await askJson(requests, 'GET', '/')) as { version?: { number?: unknown } };
  const version = String(root.version?.number ?? '');
  if (!/^[01]\./.test(version))
    throw new Refused(
      `${requests.name} is ${version === '' ? 'no Elasticsearch' : `Elasticsearch ${version}`}; those from 0.90 to 1.7 can be moved`,
      200,
    );
  const isBeforeOne = version.startsWith('0.');
  const all = Object.keys(await bagOf(requests, '/_settings'));
  const indices = await readIndices(requests, pattern);
  return {
    version,
    isBeforeOne,
    indices,
    templates: await readTemplates(requests),
    plugins: await readPlugins(requests, isBeforeOne),
    fileSettings: await readFileSettings(requests, isBeforeOne),
    clusterSettings: await readClusterSettings(requests),
    rivers: all.includes(RIVERS) ? Object.keys(await mappingsOf(requests, RIVERS)) : [],
    hasScripts: all.includes(SCRIPTS),
    hasPercolatorIndex: all.includes(OLD_PERCOLATOR),
  };
}

async function readIndices(requests: Requests, pattern: string): Promise<OldIndex[]> {
  const settings = await bagOf(requests, `/${encoded(pattern)}/_settings`);
  if (Object.keys(settings).length === 0 && pattern !== '_all')
    throw new Refused(`${requests.name} has no index that --index ${pattern} means`, NOT_FOUND);
  const names = Object.keys(settings).filter((name) => !INNER.includes(name));
  const indices: OldIndex[] = [];
  for (const name of names.sort()) {
    const own = (settings[name] as { settings?: Bag }).settings ?? {};
    const index = (own.index as Bag | undefined) ?? withoutPrefix(own);
    const counted = await countOf(requests, name);
    const isClosed = counted === undefined;
    indices.push({
      name,
      isClosed,
      documents: counted?.documents ?? 0,
      missingShards: counted?.missingShards ?? 0,
      settings: withoutOwn(index),
      blocks: blocksOf(index),
      mappings: isClosed ? {} : await mappingsOf(requests, name),
      aliases: isClosed ? {} : await partOf(requests, name, '_aliases', 'aliases'),
      warmers: isClosed ? {} : await partOf(requests, name, '_warmer', 'warmers'),
    });
  }
  return indices;
}

/** Settings of 0.90 have their names in full: `index.number_of_shards`. */
function withoutPrefix(settings: Bag): Bag {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name.replace(/^index\./, ''), value]),
  );
}

function blocksOf(index: Bag): string[] {
  const nested = Object.entries((index.blocks as Bag | undefined) ?? {});
  const flat = Object.entries(index).filter(([name]) => name.startsWith('blocks.'));
  return [...nested.map(([name, value]) => [`blocks.${name}`, value] as const), ...flat]
    .filter(([, value]) => String(value) === 'true')
    .map(([name]) => name);
}

/** Undefined for a closed index. */
async function countOf(
  requests: Requests,
  name: string,
): Promise<{ documents: number; missingShards: number } | undefined> {
  try {
    const { count, _shards } = (await askJson(requests, 'GET', `/${encoded(name)}/_count`)) as {
      count: number;
      _shards: { total: number; successful: number };
    };
    return { documents: count, missingShards: _shards.total - _shards.successful };
  } catch (e) {
    if (e instanceof Refused && e.status === CLOSED && e.message.includes('closed')) return undefined;
    throw e;
  }
}

async function mappingsOf(requests: Requests, name: string): Promise<Record<string, Bag>> {
  const answer = await bagOf(requests, `/${encoded(name)}/_mapping`);
  const own = (answer[name] ?? {}) as Bag;
  return (own.mappings ?? own) as Record<string, Bag>;
}

async function partOf<T>(requests: Requests, name: string, path: string, part: string): Promise<T> {
  // Where an index has none, some versions say that none was found.
  const answer = await bagOrNothing(requests, `/${encoded(name)}/${path}`, NOT_FOUND);
  return ((answer[name] as Bag | undefined)?.[part] ?? {}) as T;
}

/** Versions that have no list of templates have them in the state of the cluster. */
async function readTemplates(requests: Requests): Promise<Record<string, Bag>> {
  try {
    return (await bagOf(requests, '/_template')) as Record<string, Bag>;
  } catch (e) {
    if (!(e instanceof Refused)) throw e;
    const path = '/_cluster/state?filter_nodes=true&filter_routing_table=true&filter_indices=_none';
    const state = (await bagOf(requests, path)) as { metadata?: { templates?: Record<string, Bag> } };
    return state.metadata?.templates ?? {};
  }
}

async function readPlugins(requests: Requests, isBeforeOne: boolean): Promise<Plugin[]> {
  const answer = await bagOrNothing(requests, isBeforeOne ? '/_nodes?plugin=true' : '/_nodes/plugins');
  const plugins = new Map<string, Plugin>();
  const nodes = Object.values((answer.nodes ?? {}) as Record<string, { plugins?: Bag[] }>);
  for (const { name, site, jvm } of nodes.flatMap((node) => node.plugins ?? []))
    plugins.set(String(name), { name: String(name), isSite: site === true && jvm !== true });
  return [...plugins.values()];
}

async function readFileSettings(requests: Requests, isBeforeOne: boolean): Promise<string[]> {
  const answer = await bagOrNothing(requests, isBeforeOne ? '/_nodes?settings=true' : '/_nodes/settings');
  const names = new Set<string>();
  for (const { settings = {} } of Object.values((answer.nodes ?? {}) as Record<string, { settings?: Bag }>))
    for (const name of namesOf(settings)) if (name.startsWith('index.')) names.add(name);
  return [...names].sort();
}

async function readClusterSettings(requests: Requests): Promise<string[]> {
  const { persistent = {} } = await bagOrNothing(requests, '/_cluster/settings');
  return namesOf(persistent as Bag).sort();
}

/** Full names of settings, which may be nested. */
function namesOf(settings: Bag, before = ''): string[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? namesOf(value as Bag, `${before}${name}.`)
      : [before + name],
  );
}

/** What old versions may not have, and what a user may not see, is nothing. @param status only where that is answered */
async function bagOrNothing(requests: Requests, path: string, status?: number): Promise<Bag> {
  try {
    return await bagOf(requests, path);
  } catch (e) {
    if (!(e instanceof Refused) || (status !== undefined && e.status !== status)) throw e;
    return {};
  }
}

async function bagOf(requests: Requests, path: string): Promise<Bag> {
  return (await askJson(requests, 'GET', path)) as Bag;
}
