import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { HEAP_GROWTH_FLAG } from '../../host/server/cluster/heapGrowth.js';

it('V8 has the flag by which the heap of a node grows further', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(known).toContain(`${HEAP_GROWTH_FLAG} `);
});
