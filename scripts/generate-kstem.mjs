// Writes host/core/kstemWords.ts from scripts/data/kstem.txt: each word without what it shares with the one before. Run `node
// scripts/generate-kstem.mjs`; with --check it only says whether the module is up to date.
import { readFileSync, writeFileSync } from 'node:fs';

const MOST_COLUMNS = 108;
const target = new URL('../host/core/kstemWords.ts', import.meta.url);
const entries = readFileSync(new URL('data/kstem.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .flatMap((line) => line.split(' ').filter((entry) => entry !== ''));

const lines = [];
let line = '';
let before = '';
for (const entry of entries) {
  const [, word, rest] = /^([a-z]+)(.*)$/.exec(entry);
  let shared = 0;
  while (shared < word.length && word[shared] === before[shared]) shared++;
  before = word;
  const item = String.fromCharCode(0x41 + shared) + word.slice(shared) + rest;
  if (line.length + item.length > MOST_COLUMNS) {
    lines.push(line);
    line = '';
  }
  line += item;
}
lines.push(line);

const output = `/** The dictionary of the KStem stemmer, as assembly/analysis/stem/kstemWords.ts reads it. */
export const KSTEM_WORDS = \`
${lines.join('\n')}
\`;
`;
if (!process.argv.includes('--check')) writeFileSync(target, output);
else if (readFileSync(target, 'utf8') !== output) {
  console.error('host/core/kstemWords.ts is not what scripts/generate-kstem.mjs writes');
  process.exitCode = 1;
}
