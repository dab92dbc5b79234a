/**
 * What one node answers, a node of a cluster answers to the letter, whoever has the shards: random indices and requests, as
 * `test/metamorphic` makes them, and writes in between.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LAYOUTS, requestsOf } from '../metamorphic/layouts.js';
import { bodyOf, type Request } from '../metamorphic/request.js';
import { makeRequest } from '../metamorphic/requests.js';
import { makeWorld } from '../metamorphic/world.js';
import { coreBytes } from '../support/core.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import { SimulatedNode } from './simulation/simulatedNode.js';

const WORLDS = [3, 5];
const REQUESTS = 60;
const module = await WebAssembly.compile(coreBytes());

let simulated: SimulatedCluster;
let alone: SimulatedNode;
/** Two with data, of which each has some shards, and one without. */
let nodes: SimulatedNode[];

beforeEach(async () => {
  simulated = new SimulatedCluster();
  alone = await SimulatedNode.alone({ module, clock: simulated.clock });
  nodes = [];
  for (const id of ['a', 'b', 'c']) nodes.push(await simulated.start(id, { data: id !== 'c' }));
});

afterEach(async () => {
  await simulated.close([alone, ...nodes]);
});

/** An answer without how long it took, who has the shard, and what a scroll is called. */
function comparable(node: SimulatedNode, text: string): string {
  return text
    .replaceAll(/"took":\d+/g, '"took":0')
    .replaceAll(/_in_millis":\d+/g, '_in_millis":0')
    .replaceAll(/"_scroll_id":"[^"]*"/g, '"_scroll_id":""')
    .replaceAll(/"_node":"[^"]*"/g, '"_node":""')
    .replaceAll(`[${node.engine.nodeId}]`, '[node]');
}

async function ask(node: SimulatedNode, { method, uri, ...rest }: Request): Promise<string> {
  const first = await node.written(method, uri, bodyOf({ method, uri, ...rest }));
  let answer = `${first.status} ${comparable(node, first.text)}`;
  let page = first;
  while (uri.includes('scroll=') && page.status === 200) {
    const id = /"_scroll_id":"([^"]+)"/.exec(page.text)?.[1];
    if (id === undefined) break;
    page = await node.written('POST', '/_search/scroll?scroll=1m', id);
    answer += `\n${page.status} ${comparable(node, page.text)}`;
    if (page.text.includes('"hits":[]')) break;
  }
  return answer;
}

it.each(WORLDS)('random requests are answered alike (world %i)', async (seed) => {
  const world = makeWorld(seed);
  const [, b, c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
  const layout = LAYOUTS.find(({ name }) => name === 'two shards with deleted documents')!;
  for (const sent of requestsOf(world, layout)) {
    if (typeof sent === 'string') continue;
    const request = { method: sent.method, uri: sent.uri };
    const [one, other] = [
      await alone.written(request.method, request.uri, sent.body),
      await c.written(request.method, request.uri, sent.body),
    ];
    expect(comparable(c, other.text), sent.uri).toBe(comparable(alone, one.text));
  }
  for (let i = 0; i < REQUESTS; i++) {
    const request = makeRequest(1000 * seed + i);
    const what = `${request.method} ${request.uri} ${bodyOf(request) ?? ''}`;
    // Time goes on from one request to the next.
    if (/\bnow\b/.test(what)) continue;
    const expected = await ask(alone, request);
    expect(await ask(c, request), what).toBe(expected);
    expect(await ask(b, request), what).toBe(expected);
  }
});

/** Requests in their order, each answered alike by a node alone and by the one without data. */
async function alike(requests: readonly (readonly [method: string, uri: string, body?: unknown])[]) {
  const [, , c] = nodes as [SimulatedNode, SimulatedNode, SimulatedNode];
  for (const [method, uri, body] of requests) {
    const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const [one, other] = [await alone.written(method, uri, sent), await c.written(method, uri, sent)];
    const answer = `${one.status} ${comparable(alone, one.text)}`;
    expect(`${other.status} ${comparable(c, other.text)}`, `${method} ${uri} ${sent ?? ''}`).toBe(answer);
  }
}

const SETTINGS = { number_of_shards: 3, number_of_replicas: 0, refresh_interval: '-1' };

it('what registered queries bring joins the mapping, whether they are refused or not', async () => {
  await alike([
    ['PUT', '/w', { settings: SETTINGS, mappings: { note: { properties: { text: { type: 'string' } } } } }],
    ['PUT', '/w/.percolator/none', { noquery: 1 }],
    ['GET', '/w/_mapping'],
    ['PUT', '/w/.percolator/bad', { query: { nosuch: {} }, kind: 'bad' }],
    ['PUT', '/w/.percolator/bad', '{'],
    ['PUT', '/w/.percolator/bad', { query: { term: { unmapped: 1 } }, level: 7 }],
    ['PUT', '/w/.percolator/good', { query: { match: { text: 'tea' } }, level: 7, kind: 'good' }],
    ['PUT', '/w/.percolator/wrong', { query: { match: { text: 'tea' } }, level: 'high' }],
    ['POST', '/w/.percolator/good/_update', { doc: { query: { nosuch: {} }, other: true } }],
    [
      'POST',
      '/w/.percolator/_bulk',
      '{"index":{"_id":"a"}}\n{"query":{"match":{"text":"a"}},"added":1}\n{"index":{"_id":"b"}}\n{"query":1,"more":2}\n',
    ],
    ['GET', '/w/_mapping'],
    ['POST', '/w/note/_percolate', { doc: { text: 'some tea, a lot' } }],
  ]);
});

it('what a document brings that is not written joins the mapping', async () => {
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  await alike([
    ['PUT', '/w', { settings: SETTINGS, mappings: { strict: { dynamic: 'strict' }, note: {} } }],
    ['PUT', '/w/.percolator/q?refresh=true', { query: { query_string: { query: 'tea' } } }],
    ['POST', '/w/note/_percolate', { doc: { text: 'some tea', n: 1, o: { p: '2014-01-01' } } }],
    ['POST', '/w/other/_percolate', { doc: { text: 'no', n: 'text' } }],
    ['GET', '/w/_mapping'],
    ['POST', '/w/strict/_percolate', { doc: { text: 'some tea' } }],
    ['POST', '/w/note/_percolate', { doc: { fresh: 1, n: 'no number' } }],
    [
      'POST',
      '/w/note/_mpercolate',
      [
        { percolate: {} },
        { doc: { x: 1 } },
        { percolate: { type: 'strict' } },
        { doc: { x: 1 } },
        { count: {} },
        { doc: { y: 'tea' } },
      ]
        .map(line)
        .join(''),
    ],
    ['GET', '/w/_mapping'],
    ['GET', '/w/note/_termvector', { doc: { title: 'a fox of my own', year: 5 }, fields: ['title'] }],
    ['GET', '/w/strict/_termvector', { doc: { title: 'a fox of my own' }, fields: ['title'] }],
    ['POST', '/w/note/_mtermvectors', { docs: [{ doc: { one: 'a' } }, { doc: { two: 'b' } }] }],
    ['GET', '/w/_mapping'],
  ]);
});

it('a document that is not there is told before what is wrong with the query about it', async () => {
  await alike([
    ['PUT', '/w/note/1?refresh=true', { text: 'tea' }],
    ['POST', '/w/note/1/_explain', { query: { match: { text: 'tea' } } }],
    ['POST', '/w/note/1/_explain', { query: { nosuch: {} } }],
    ['POST', '/w/note/2/_explain', { query: { nosuch: {} } }],
    ['POST', '/w/note/2/_explain', '{'],
    ['POST', '/w/note/2/_explain'],
  ]);
});

it('stats count what a node does for shards of others', async () => {
  const counts = 'filter_path=_all.primaries';
  await alike([
    ['PUT', '/w', { settings: SETTINGS }],
    ...['1', '2', '3', '4', '5'].map((id) => ['PUT', `/w/note/${id}`, { text: 'tea' }] as const),
    ['PUT', '/w/.percolator/q', { query: { match: { text: 'tea' } } }],
    ['POST', '/w/_refresh'],
    ['POST', '/w/_search?stats=some', { query: { match: { text: 'tea' } }, stats: ['one'] }],
    ['POST', '/w/note/_percolate', { doc: { text: 'tea' } }],
    ['GET', '/w/note/3/_percolate'],
    ['POST', '/w/_suggest', { s: { text: 'tee', term: { field: 'text' } } }],
    ['GET', '/w/note/3'],
    ['GET', '/w/note/none'],
    ['POST', '/w/note/3/_update', { doc: { text: 'tea' } }],
    ['POST', '/w/_search?scroll=1m&size=1'],
    ['GET', `/w/_stats/docs,get,search,suggest,percolate,indexing,refresh?groups=*&types=*&${counts}`],
  ]);
});
