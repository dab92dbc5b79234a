import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'resilin-layers-'));
for (const side of ['host', 'assembly']) cpSync(join(root, side), join(copy, side), { recursive: true });
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What the linter says of the copy while a file has other contents. */
async function linted(file?: string, text?: (now: string) => string): Promise<string> {
  const now = file === undefined ? '' : readFileSync(join(copy, file), 'utf8');
  if (file !== undefined) writeFileSync(join(copy, file), text!(now));
  const said = await new Promise<string>((done) => {
    execFile(process.execPath, [join(root, 'scripts/layers.mjs'), copy], (_, __, stderr) => done(stderr));
  });
  if (file !== undefined) writeFileSync(join(copy, file), now);
  return said;
}
/** What it says where one thing is wrong. */
const oneOf = (problem: string) => `The rule of layers (scripts/layers.mjs) is broken:\n  ${problem}\n`;

it('folders import from those below them', async () => {
  expect(await linted()).toBe('');
});

it('an import from above is refused, of a type too, and in the core too', async () => {
  expect(
    await linted(
      'host/numbers/javaBooleans.ts',
      (now) => `import type { A } from '../rest/json.js';\n${now}`,
    ),
  ).toBe(oneOf('host/numbers/javaBooleans.ts -> host/rest/json.ts: host/rest is not below host/numbers'));
  expect(
    await linted('assembly/codec/vint.ts', (now) => `${now}export { a } from '../search/union';\n`),
  ).toBe(
    oneOf('assembly/codec/vint.ts -> assembly/search/union.ts: assembly/search is not below assembly/codec'),
  );
});

it('a folder without a place is refused', async () => {
  expect(await linted('host/cli/main.ts', (now) => `${now}await import('../new/thing.js');\n`)).toBe(
    oneOf('host/new has no layer yet'),
  );
});
