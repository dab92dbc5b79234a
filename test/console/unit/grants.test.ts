/** Grants as they are typed and told. */
import { expect, it } from 'vitest';
import { describeGrants, grantsOf, newRow, rowsOf } from '../../../console/src/views/users/grantRows.js';

it('are a row for each, with names between commas', () => {
  const rows = [newRow(' logs-*, metrics ,', 'write'), newRow('  ', 'manage')];
  expect(grantsOf(rows)).toEqual([{ indices: ['logs-*', 'metrics'], access: 'write' }]);
  expect(rowsOf(grantsOf(rows))).toMatchObject([{ names: 'logs-*, metrics', access: 'write' }]);
});

it('are told in words', () => {
  const grants = [
    { indices: ['logs-*', 'a'], access: 'read' as const },
    { indices: ['b'], access: 'manage' as const },
  ];
  expect(describeGrants({ grants, cluster: 'monitor' })).toBe(
    'read logs-*, a; manage b; monitor the cluster',
  );
  expect(describeGrants({ grants: [], cluster: 'none' })).toBe('nothing');
});
