/** The naive engine gives the answers of the real Lucene, to the last bit (test/fixtures/scoring). */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encodePlan } from '../../host/searchBody/encode.js';
import { compileQuery } from '../../host/query/compileQuery.js';
import { indexOf } from './naiveDocuments.js';
import { NaiveEngine } from './naiveEngine.js';
import { readPlan } from './planReader.js';
import { contextOf, modelOf } from './support.js';

const folders = process.env.SCORING_FIXTURES?.split(',') ?? [
  new URL('../fixtures/scoring', import.meta.url).pathname,
];

function lines(folder: string, file: string): unknown[] {
  return readFileSync(`${folder}/${file}`, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const scratch = new DataView(new ArrayBuffer(4));

function bits(score: number): string {
  scratch.setFloat32(0, score);
  return scratch.getUint32(0).toString(16).padStart(8, '0');
}

for (const folder of folders) {
  for (const order of ['bulk', 'inOrder']) {
    test(`the naive engine scores as Lucene does: ${folder.split('/').at(-1)}, ${order}`, () => {
      const model = modelOf(JSON.parse(readFileSync(`${folder}/spec.json`, 'utf8')).mappings);
      const engine = new NaiveEngine(indexOf(model, lines(folder, 'corpus.jsonl')));
      const expected = lines(folder, `${order}.jsonl`);
      const queries = lines(folder, 'queries.jsonl') as { name: string; query: unknown }[];
      const different: unknown[] = [];
      queries.forEach(({ name, query }, i) => {
        const plan = { ...compileQuery(query, contextOf(model), 10), inOrder: order === 'inOrder' };
        const result = engine.search(readPlan(encodePlan(plan)));
        const got = [result.total, ...result.hits.map((hit) => `${hit.key}:${bits(hit.score)}`)];
        if (JSON.stringify(got) !== JSON.stringify(expected[i])) {
          different.push({ name, query: JSON.stringify(query), got, expected: expected[i] });
        }
      });
      expect(different).toEqual([]);
    });
  }
}
