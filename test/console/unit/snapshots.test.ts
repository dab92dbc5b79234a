/** Snapshots in the console: requests of actions, and progress as the server tells it. */
import { expect, it } from 'vitest';
import {
  createRepository,
  createSnapshot,
  proposedName,
  restoreSnapshot,
} from '../../../console/src/views/snapshots/snapshotActions.js';
import { readRecovery, readStatus } from '../../../console/src/views/snapshots/snapshots.js';

it('are made and restored with what was chosen, and nothing else', () => {
  expect(createRepository('a b', 'fs', { location: 'x', other: '' }, true)).toMatchObject({
    path: '/_snapshot/a%20b',
    body: { type: 'fs', settings: { location: 'x', readonly: true } },
  });
  expect(createSnapshot('r', 'one', ' ', true, false).body).toEqual({ include_global_state: true });
  expect(createSnapshot('r', 'one', 'a,b*', false, true).body).toEqual({
    ...{ indices: 'a,b*', include_global_state: false, partial: true },
  });
  const restoring = { indices: '', pattern: '', replacement: 'x', withAliases: true, withState: false };
  expect(restoreSnapshot('r', 'one', restoring)).toMatchObject({
    path: '/_snapshot/r/one/_restore?wait_for_completion=true',
    body: { include_aliases: true, include_global_state: false },
  });
  expect(restoreSnapshot('r', 'one', { ...restoring, pattern: '(.+)' }).body).toMatchObject({
    ...{ rename_pattern: '(.+)', rename_replacement: 'x' },
  });
  expect(proposedName(new Date(2026, 0, 2, 3, 4))).toBe('snapshot-2026-01-02-03-04');
});

it('tell how many shards are done, and how many bytes are there', () => {
  const shards_stats = { initializing: 1, started: 1, finalizing: 0, done: 2, failed: 1, total: 5 };
  expect(readStatus({ snapshots: [{ snapshot: 'one', shards_stats }] })).toEqual(
    new Map([['one', { done: 2, failed: 1, total: 5 }]]),
  );
  expect(readStatus({})).toEqual(new Map());
  const size = (total: number, reused: number, recovered: number) => ({
    size: { total_in_bytes: total, reused_in_bytes: reused, recovered_in_bytes: recovered },
  });
  expect(
    readRecovery({
      a: {
        shards: [
          { type: 'SNAPSHOT', stage: 'DONE', index: size(100, 50, 50) },
          { type: 'SNAPSHOT', stage: 'INDEX', index: size(300, 0, 100) },
        ],
      },
      b: { shards: [{ type: 'GATEWAY', stage: 'INDEX', index: size(1, 0, 0) }] },
      c: { shards: [{ type: 'SNAPSHOT', stage: 'INIT', index: size(0, 0, 0) }] },
    }),
  ).toEqual([
    { index: 'a', share: 0.5, stage: 'index' },
    { index: 'c', share: 0, stage: 'init' },
  ]);
});
