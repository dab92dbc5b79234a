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
    'lz4',
    'codec',
    'result.ts',
    'postings',
    'terms',
    'docvalues',
    'analysis',
    'segment',
    'plan',
    'similarity',
    'docset',
    'expression',
    'sort',
    'score',
    'aggregation',
    'search',
    'index.ts',
    'kernels',
    'testing',
  ],
  host: [
    'ownNames.ts',
    'version.ts',
    'text',
    'numbers',
    'turn.ts',
    'leaderOnly.ts',
    'mappingNeeded.ts',
    'storeErrors.ts',
    'errors.ts',
    'latePart.ts',
    'workLimit.ts',
    'passes.ts',
    'repeatedBytes.ts',
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
    'groovy',
    'plan',
    'explain',
    'query',
    'aggregation',
    'suggest',
    'highlight',
    'searchBody',
    'kernels',
    'security',
    'cluster',
    'shard',
    'percolate',
    'metadata',
    'search',
    'snapshot',
    'coreLibrary',
    'replication',
    'engine',
    'rest',
    'library',
    'browser',
    'server',
    'index.ts',
    'cli',
  ],
};

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const problems = [];

for (const [side, layers] of Object.entries(LAYERS)) {
  const ranks = new Map(layers.map((name, rank) => [name, rank]));
  const rankOf = (file) => {
    const rank = ranks.get(file.split('/')[1]);
    if (rank === undefined) problems.push(`${side}/${file.split('/')[1]} has no layer yet`);
    return rank ?? 0;
  };
  for (const [from, to] of importsOf(side)) {
    if (from.split('/')[1] === to.split('/')[1] || rankOf(to) < rankOf(from)) continue;
    problems.push(`${from} -> ${to}: ${side}/${to.split('/')[1]} is not below ${side}/${from.split('/')[1]}`);
  }
}

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
