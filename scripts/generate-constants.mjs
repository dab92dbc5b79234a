// Writes the numbers that the core and the host share, from scripts/data/constants.json: assembly/abi/*.ts and host/core/abi/*.ts. Run
// `node scripts/generate-constants.mjs`; with --check it only says whether the files are up to date.
//
// A group of the table is an enumeration: `host` is its name in TypeScript, `prefix` and `type` are those of its constants in
// AssemblyScript. An entry `name` is `prefix` and the name in capitals there, unless `core` says otherwise.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const files = JSON.parse(readFileSync(path.join(root, 'scripts/data/constants.json'), 'utf8'));
const MADE = '// Made by scripts/generate-constants.mjs from scripts/data/constants.json.';

const capitals = (name) => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase();
const doc = (text, indent = '') => (text === undefined ? '' : `${indent}/** ${text} */\n`);

function core({ about, groups }) {
  const parts = groups.map(({ prefix, type, about, entries }) => {
    const lines = entries.map(
      ({ name, value, core, about }) =>
        `${doc(about)}export const ${core ?? prefix + capitals(name)}: ${type} = ${value};\n`,
    );
    return `// ${about}\n${lines.join('')}`;
  });
  return `${MADE}\n\n// ${about}\n\n${parts.join('\n')}`;
}

function host({ about, groups }) {
  const parts = groups.map(({ host: name, about, entries }) => {
    const lines = entries.map(({ name, value, about }) => `${doc(about, '  ')}  ${name}: ${value},\n`);
    return `/** ${about} */\nexport const ${name} = {\n${lines.join('')}} as const;\nexport type ${name} = (typeof ${name})[keyof typeof ${name}];\n`;
  });
  return `${MADE}\n\n/** ${about} */\n\n${parts.join('\n')}`;
}

const stale = [];
for (const file of files) {
  for (const [folder, write] of [
    ['assembly/abi', core],
    ['host/core/abi', host],
  ]) {
    const target = path.join(root, folder, `${file.file}.ts`);
    const output = write(file);
    if (!process.argv.includes('--check')) writeFileSync(target, output);
    else if (readFileSync(target, 'utf8') !== output) stale.push(path.relative(root, target));
  }
}
if (stale.length > 0) {
  process.stderr.write(`${stale.join(', ')}: not what scripts/generate-constants.mjs writes\n`);
  process.exitCode = 1;
}
