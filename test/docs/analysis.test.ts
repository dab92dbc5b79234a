import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { analyzers } from '../../host/analysis/analyzers.js';
import { charFilters } from '../../host/analysis/charFilters.js';
import { filters } from '../../host/analysis/filters.js';
import { tokenizers } from '../../host/analysis/tokenizers.js';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/analysis.md'), 'utf8');
const words = new Set(page.match(/[\w]+/g));

/** Other names of parts that the page has under their first. */
const ALIASES = ['nGram', 'edgeNGram', 'PathHierarchy'];

test.each([
  ['analyzers', analyzers],
  ['tokenizers', tokenizers],
  ['char filters', charFilters],
  ['token filters', filters],
])('docs/analysis.md names the %s that there are', (_, parts: ReadonlyMap<string, unknown>) => {
  expect([...parts.keys()].filter((name) => !words.has(name) && !ALIASES.includes(name))).toEqual([]);
});
