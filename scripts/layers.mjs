/**
 * The rule of layers: a folder of the host or of the core imports from folders below it and from no others, so there are no cycles among
 * them. `npm run lint` refuses what breaks it.
 *
 *     node scripts/layers.mjs [ROOT]     looks at the sources of this repository, or of a copy of it elsewhere
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Folders, and files beside them, each above all that it may import. A new one is put in above what it needs, as low as that goes. */
const LAYERS = {
  assembly: [
    'host.ts',
    'abi',
    'requestStatus.ts',
    'workLimit.ts',
    'memory',
    'nesting.ts',
    'codec',
    'result.ts',
    'postings',
    'terms',
    'docvalues',
    'analysis',
    'segment',
    'similarity',
    'docset',
    'expression',
    'score',
    'aggregation',
    'search',
    'index.ts',
    'testing',
  ],
  host: [
    'ownNames.ts',
    'version.ts',
    'text',
    'numbers',
    'turn.ts',
    'storeErrors.ts',
    'errors.ts',
    'latePart.ts',
    'workLimit.ts',
    'passes.ts',
    'json',
    'compat17',
    'time',
    'core',
    'formats',
    'storage',
    'regex',
    'automata',
    'similarity',
    'settings',
    'limits',
    'analysis',
    'geo',
    'expression',
    'mapping',
    'script',
    'plan',
    'explain',
    'query',
    'aggregation',
    'suggest',
    'highlight',
    'searchBody',
    'security',
    'shard',
    'percolate',
    'metadata',
    'search',
    'snapshot',
    'engine',
    'rest',
    'library',
    'browser',
    'server',
    'index.ts',
    'cli',
  ],
};

/** Imports against the rule that aren't gone yet. None may be added; one that is gone is to be taken out. */
const STILL_THERE = new Set([
  'assembly/aggregation/decode.ts -> assembly/search/planReader.ts',
  'assembly/aggregation/decode.ts -> assembly/search/sortKeys.ts',
  'assembly/aggregation/hits.ts -> assembly/search/sortKeys.ts',
  'assembly/aggregation/partials.ts -> assembly/search/sortKeys.ts',
  'assembly/docset/matcher.ts -> assembly/score/functions.ts',
  'assembly/expression/program.ts -> assembly/search/planReader.ts',
]);

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const problems = [];
const seen = new Set();

for (const [side, layers] of Object.entries(LAYERS)) {
  const ranks = new Map(layers.map((name, rank) => [name, rank]));
  const rankOf = (file) => {
    const rank = ranks.get(file.split('/')[1]);
    if (rank === undefined) problems.push(`${side}/${file.split('/')[1]} has no layer yet`);
    return rank ?? 0;
  };
  for (const [from, to] of importsOf(side)) {
    if (from.split('/')[1] === to.split('/')[1] || rankOf(to) < rankOf(from)) continue;
    const edge = `${from} -> ${to}`;
    if (STILL_THERE.has(edge)) seen.add(edge);
    else problems.push(`${edge}: ${side}/${to.split('/')[1]} is not below ${side}/${from.split('/')[1]}`);
  }
}
for (const edge of STILL_THERE)
  if (!seen.has(edge)) problems.push(`${edge}: is gone, so it isn't allowed any longer`);

if (problems.length > 0) {
  const unique = [...new Set(problems)];
  process.stderr.write(`The rule of layers (scripts/layers.mjs) is broken:\n  ${unique.join('\n  ')}\n`);
  process.exitCode = 1;
}

/** All imports between modules under a folder, those of types too, as pairs of paths. */
function* importsOf(side) {
  for (const name of readdirSync(path.join(root, side), { recursive: true }).sort()) {
    if (!name.endsWith('.ts') || name.endsWith('.d.ts')) continue;
    const from = path.posix.join(side, name.replaceAll(path.sep, '/'));
    const text = readFileSync(path.join(root, from), 'utf8');
    for (const [, after, inside] of text.matchAll(/\bfrom\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)) {
      const target = path.posix.join(path.posix.dirname(from), after ?? inside);
      yield [from, `${target.replace(/\.js$/, '')}.ts`];
    }
  }
}
