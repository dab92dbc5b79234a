// Writes host/storage/lz4Module.ts: the compiled module of assembly/lz4, for programs that have no file beside them. Run `node
// scripts/generate-lz4.mjs`; the same compiler always gives the same module. With --check it only says whether the file is up to date.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'lz4-'));
const out = path.join(folder, 'lz4.wasm');
const compiler = path.join(root, 'node_modules/assemblyscript/bin/asc.js');
/** 64 KB each: what host/storage/lz4.ts needs. */
const PAGES = '76';
const options = [
  '--config',
  'none',
  '--runtime',
  'stub',
  '-O3',
  '--noAssert',
  '--enable',
  'simd',
  '--initialMemory',
  PAGES,
  '--use',
  'abort=',
];
try {
  execFileSync(process.execPath, [compiler, 'assembly/lz4/index.ts', ...options, '--outFile', out], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const text = readFileSync(out).toString('base64');
  const lines = text.match(/.{1,120}/g).map((line) => `  '${line}',\n`);
  const output = `/** The module of assembly/lz4 in base64, written by scripts/generate-lz4.mjs. */
// biome-ignore format: a table
export const LZ4_MODULE = [
${lines.join('')}].join('');
`;
  const target = path.join(root, 'host/storage/lz4Module.ts');
  if (!process.argv.includes('--check')) writeFileSync(target, output);
  else if (readFileSync(target, 'utf8') !== output) {
    console.error('host/storage/lz4Module.ts is not what scripts/generate-lz4.mjs writes');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
