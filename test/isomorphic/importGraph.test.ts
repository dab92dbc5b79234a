import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** What only shells may import, and what they are. */
const SHELLS =
  /^host\/((server|cli|browser)\/|index\.ts$|storage\/(lmdb[^/]*|files|folders|slicedSha256|compaction|shrinking|openRanges|freeDisk)\.ts$)/;

/** What runs everywhere, in Node, Deno, browsers and service workers: all of the host but the shells. */
const BELOW_THE_SHELLS = files(join(root, 'host')).filter((file) => !SHELLS.test(relative(root, file)));

/** What may be imported by a bare name there. */
const ALLOWED = new Set(['@assemblyscript/loader', 'tinybench']);
function files(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() || entry.name.endsWith('.ts') ? files(join(path, entry.name)) : [],
  );
}

function imports(file: string): string[] {
  return ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles.map((each) => each.fileName);
}

/** The imports that are left when the types are gone. */
function loads(file: string): string[] {
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ESNext,
    verbatimModuleSyntax: true,
  };
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions });
  return ts.preProcessFile(outputText, true, true).importedFiles.map((each) => each.fileName);
}

/** Nodes of plans contain each other: their types, one in each file, can't but name each other. No file waits for another by that. */
const ONE_TYPE = 'host/plan/';

describe('below the shells', () => {
  const found = new Map<string, string[]>();
  const waiting = [...BELOW_THE_SHELLS];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    const names = imports(file);
    found.set(file, names);
    for (const name of names) {
      if (name.startsWith('.')) waiting.push(resolve(dirname(file), name.replace(/\.js$/, '.ts')));
    }
  }

  it('there are files', () => {
    expect(found.size).toBeGreaterThan(15);
  });

  it('nothing imports node: or a package other than the loader', () => {
    const wrong = [...found].flatMap(([file, names]) =>
      names
        .filter((name) => !name.startsWith('.') && !ALLOWED.has(name))
        .map((name) => `${relative(root, file)} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('nothing imports a shell', () => {
    expect([...found.keys()].map((file) => relative(root, file)).filter((file) => SHELLS.test(file))).toEqual(
      [],
    );
  });

  it('nothing imports itself, by whatever way round', () => {
    const cycles: string[] = [];
    const state = new Map<string, 'open' | 'done'>();
    const visit = (file: string, path: string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        cycles.push(
          [...path.slice(path.indexOf(file)), file].map((each) => relative(root, each)).join(' -> '),
        );
        return;
      }
      state.set(file, 'open');
      const names = relative(root, file).startsWith(ONE_TYPE) ? loads(file) : (found.get(file) ?? []);
      for (const name of names) {
        if (name.startsWith('.'))
          visit(resolve(dirname(file), name.replace(/\.js$/, '.ts')), [...path, file]);
      }
      state.set(file, 'done');
    };
    for (const file of found.keys()) visit(file, []);
    expect(cycles).toEqual([]);
  });
});
