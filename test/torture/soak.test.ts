import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { soak } from './soak.js';

const root = resolve(import.meta.dirname, '../..');
const out = join(root, 'build/soak-test');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-soak-'));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const flags = ['--outDir', out, '--rootDir', root, '--declaration', 'false', '--sourceMap', 'false'];
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), ...flags], {
    stdio: 'inherit',
  });
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('mixed operations get the answers of a model, on a small heap', async () => {
  const result = await soak({
    main: join(out, 'host/cli/main.js'),
    data: join(folder, 'data'),
    operations: 8000,
    seed: 4,
    heap: 96,
  });
  expect(result.problems).toEqual([]);
  expect(result.operations).toBeGreaterThanOrEqual(8000);
});
