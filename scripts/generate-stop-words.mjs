// Writes host/analysis/stopwords, a module for each language, from scripts/data/stop-words.txt. Run `node
// scripts/generate-stop-words.mjs`; with --check it only says whether the modules are up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const check = process.argv.includes('--check');
const MOST_COLUMNS = 108;

/** Languages with their words. */
const languages = [];
for (const line of readFileSync(new URL('data/stop-words.txt', import.meta.url), 'utf8').split('\n')) {
  if (line === '' || line.startsWith('#')) continue;
  if (line.startsWith(' ')) languages.at(-1).words.push(...line.trim().split(' '));
  else languages.push({ language: line, words: [] });
}

function moduleOf({ language, words }) {
  const lines = [];
  let line = ' ';
  for (const word of words) {
    const item = ` ${word.includes("'") ? JSON.stringify(word) : `'${word}'`},`;
    if (line.length + item.length > MOST_COLUMNS) {
      lines.push(line);
      line = ' ';
    }
    line += item;
  }
  lines.push(line);
  return [
    `/** ${language} stop words, as Lucene 4.10 has them. */`,
    '// biome-ignore format: a list reads better in lines',
    `export const ${language.toLowerCase()}: readonly string[] = [`,
    ...lines,
    '];\n',
  ].join('\n');
}

for (const each of languages) {
  const file = new URL(`../host/analysis/stopwords/${each.language.toLowerCase()}.ts`, import.meta.url);
  const text = moduleOf(each);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (!check) {
    writeFileSync(file, text);
    continue;
  }
  console.error(`${file.pathname} is not what scripts/generate-stop-words.mjs writes`);
  process.exitCode = 1;
}
