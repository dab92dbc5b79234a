import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { built } from '../support/server.js';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'resilin-node-'));
const command = join(await built(), 'js/host/cli/resilin.js');
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  engines: { node: string };
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script with a Node that says it is another version. */
function run(script: string, version: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const pretended = join(folder, `${version}.cjs`);
  writeFileSync(
    pretended,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  return new Promise((done) => {
    execFile(
      process.execPath,
      ['-r', pretended, script, '--version'],
      { cwd: root },
      (error, stdout, stderr) => done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

it.each([
  ['npm start', join(root, 'scripts/start.mjs')],
  ['the installed command', command],
])('%s tells an older Node in one line, before it imports anything', async (_, script) => {
  expect(engines.node).toBe('>=20.19');
  for (const version of ['14.21.3', '18.20.4', '20.18.3']) {
    const stderr = `resilin needs Node 20.19 or newer; this is Node ${version}\n`;
    expect(await run(script, version)).toEqual({ code: 1, stdout: '', stderr });
  }
  expect(readFileSync(script, 'utf8')).not.toMatch(/^\s*(import\s+[^(]|import$|export\s.*from)/m);
  for (const version of ['20.19.0', '22.0.0'])
    expect(await run(script, version)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
});
