/** What can be done with an index, each as the request that does it. */
import { encodeNames } from '../../api/client';
import type { Json, JsonObject } from '../../api/json';
import type { Action } from '../../components/ActionDialog';

/** Names of actions that need nothing more than the index. */
export const PLAIN_ACTIONS = [
  'refresh',
  'flush',
  'optimize',
  'clearCache',
  'close',
  'open',
  'delete',
] as const;
export type PlainAction = (typeof PLAIN_ACTIONS)[number];

/** Those that an index has. */
export function actionsOf(isOpen: boolean): readonly PlainAction[] {
  return isOpen ? PLAIN_ACTIONS.filter((each) => each !== 'open') : ['open', 'delete'];
}

/** On buttons. */
export const ACTION_TITLES: Readonly<Record<PlainAction, string>> = {
  refresh: 'Refresh',
  flush: 'Flush',
  optimize: 'Optimize',
  clearCache: 'Clear caches',
  close: 'Close',
  open: 'Open',
  delete: 'Delete',
};

export function plainAction(name: PlainAction, index: string): Action {
  const at = `/${encodeNames(index)}`;
  switch (name) {
    case 'refresh':
      return {
        title: 'Refresh',
        method: 'POST',
        path: `${at}/_refresh`,
        warning: 'Searches find what was written up to now.',
        done: `${index} is refreshed`,
      };
    case 'flush':
      return {
        title: 'Flush',
        method: 'POST',
        path: `${at}/_flush`,
        warning: 'Segments are written to disk, so that the next start has less to do.',
        done: `${index} is flushed`,
      };
    case 'optimize':
      return {
        title: 'Optimize',
        method: 'POST',
        path: `${at}/_optimize?max_num_segments=1`,
        warning:
          'All segments of a shard are merged into one. That takes a while for a large index, and pays for one that is not written to any more.',
        done: `${index} is optimized`,
      };
    case 'clearCache':
      return {
        title: 'Clear caches',
        method: 'POST',
        path: `${at}/_cache/clear`,
        warning:
          'Filters and values of fields that are kept in memory are let go; the next searches build them again.',
        done: `The caches of ${index} are empty`,
      };
    case 'close':
      return {
        title: 'Close',
        method: 'POST',
        path: `${at}/_close`,
        warning: 'A closed index takes no memory and answers nothing until it is opened. Its documents stay.',
        done: `${index} is closed`,
      };
    case 'open':
      return { title: 'Open', method: 'POST', path: `${at}/_open`, done: `${index} is open` };
    case 'delete':
      return {
        title: 'Delete index',
        method: 'DELETE',
        path: at,
        warning: 'The index and all of its documents are gone then. Only a snapshot brings them back.',
        typed: index,
        done: `${index} is deleted`,
      };
  }
}

/** Gives an index another name, or takes it away. */
export function aliasAction(kind: 'add' | 'remove', index: string, alias: string): Action {
  const title = kind === 'add' ? 'Add alias' : 'Remove alias';
  return {
    title,
    method: 'POST',
    path: '/_aliases',
    body: { actions: [{ [kind]: { index, alias } }] },
    done: kind === 'add' ? `${alias} leads to ${index}` : `${alias} no longer leads to ${index}`,
  };
}

/** Makes an index. @param more settings, mappings and aliases; its settings win over the two numbers */
export function createAction(name: string, shards: number, replicas: number, more: JsonObject): Action {
  const { settings, ...rest } = more;
  const given = typeof settings === 'object' && settings !== null ? (settings as JsonObject) : {};
  const body: Json = {
    settings: { number_of_shards: shards, number_of_replicas: replicas, ...given },
    ...rest,
  };
  return {
    title: 'Create index',
    method: 'PUT',
    path: `/${encodeURIComponent(name)}`,
    body,
    done: `${name} is there`,
  };
}
