import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it, vi } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { createHttp, everybody } from '../../host/server/http.js';

const root = resolve(import.meta.dirname, '../..');
const blocks = (file: string, language: string) =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms')),
  ].map(([, code]) => code!);

let resilin: Resilin | undefined;
let app: ReturnType<typeof createHttp> | undefined;
afterEach(async () => {
  await app?.close();
  await resilin?.close();
  vi.restoreAllMocks();
});

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

it.runIf(hasCurl())('the tour of the README works as it is written', async () => {
  resilin = await createEngine();
  app = createHttp(createRouter(resilin.engine, { node: 'n', cluster: 'c', version: '0' }), everybody);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const tour = blocks('README.md', 'sh');
  const last = /Delete the index when you are done: `(.*?)`/.exec(
    readFileSync(join(root, 'README.md'), 'utf8'),
  );
  expect(tour).toHaveLength(5);
  const answers: { _id?: string; hits?: { total: number; hits: { _id: string }[] } }[] = [];
  for (const command of [...tour.flatMap((block) => block.split(/\n\n(?=curl)/)), last![1]!]) {
    const here = command.replaceAll('localhost:9200', `127.0.0.1:${port}`);
    const { stdout } = await promisify(execFile)('sh', ['-c', here]);
    answers.push(JSON.parse(stdout));
  }
  expect(JSON.stringify(answers)).not.toContain('"error"');
  const found = answers.flatMap(({ hits }) => (hits === undefined ? [] : [hits.hits.map((hit) => hit._id)]));
  expect(found).toEqual([['1', '4'], ['1'], ['1'], ['2', '1', '3']]);
  expect(answers.at(-1)).toEqual({ acknowledged: true });
});

it('the first example of docs/embedding.md works as it is written', async () => {
  const [example] = blocks('docs/embedding.md', 'ts');
  const folder = join(root, 'build/docs');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'example.ts');
  const library = join(root, 'host/index.ts');
  writeFileSync(file, `// @ts-nocheck\n${example!.replace("'resilin'", JSON.stringify(library))}`);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import(/* @vite-ignore */ file);
  expect(log.mock.calls).toEqual([[1, 'The name of the rose'], [200]]);
  rmSync(folder, { recursive: true });
});
