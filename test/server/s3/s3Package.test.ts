import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { built } from '../../support/server.js';

const run = promisify(execFile);
const host = join(await built(), 'js/host');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-s3-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a repository in S3 names the package that it needs, where that is not installed', async () => {
  // Where no node_modules are above.
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  for (const path of ['server/s3/s3Client.js', 'snapshot/sha256.js'])
    cpSync(join(host, path), join(folder, path));
  const script =
    "import('./server/s3/s3Client.js').then(({ loadSdk }) => loadSdk()).catch((e) => console.log(e.message))";
  const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder });
  expect(stdout).toBe(
    'repositories of type s3 need the package @aws-sdk/client-s3: npm install @aws-sdk/client-s3\n',
  );
});

it('a server starts without the package', async () => {
  const loads = [
    'const { createServer } = await import(process.argv[1]);',
    "const server = await createServer({ port: 0, data: ':memory:', threads: 1, coordinators: 1 });",
    'await server.close();',
    // Modules of CommonJS, as the package's is.
    "console.log(Object.keys((await import('node:module')).default._cache).filter((each) => /@aws-sdk|@smithy/.test(each)).length);",
  ];
  const args = ['--input-type=module', '-e', loads.join('\n'), join(host, 'server/index.js')];
  expect((await run(process.execPath, args)).stdout).toBe('0\n');
});
