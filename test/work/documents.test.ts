/** Long documents are parsed in turns, and become the same operations, fields and errors as at once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchWriter } from '../../host/core/batch.js';
import { readSource, readSourceInTurns } from '../../host/mapping/documentSource.js';
import { DocumentParser } from '../../host/mapping/documents.js';
import type { MappingModel } from '../../host/mapping/model.js';
import { type Turns, WorkLimit } from '../../host/workLimit.js';
import { modelOf } from '../model/support.js';
import { startNode } from './node.js';

const PROPERTIES = {
  text: { type: 'string', copy_to: ['copied', 'inner.copy'] },
  raw: { type: 'string', index: 'not_analyzed', ignore_above: 12 },
  whole: { type: 'long', fields: { text: { type: 'string' } } },
  point: { type: 'geo_point', lat_lon: true },
  shape: { type: 'geo_shape', tree_levels: 3, distance_error_pct: 0.2 },
  inner: { properties: { whole: { type: 'long' } } },
  strict: { dynamic: 'strict', properties: {} },
  ignored: { dynamic: false, properties: {} },
  off: { type: 'object', enabled: false },
  many: {
    type: 'nested',
    include_in_parent: true,
    properties: { shape: { type: 'geo_shape', tree_levels: 2 } },
  },
};

const freshModel = (): MappingModel => modelOf({ t: { properties: PROPERTIES } });

/** A limit of whose turns each is over at once. */
function hasty(): WorkLimit {
  const limit = WorkLimit.of(Number.POSITIVE_INFINITY);
  Object.defineProperties(limit, {
    due: { get: () => true },
    elapsed: { get: () => Number.POSITIVE_INFINITY },
    isDue: { value: () => true },
  });
  return limit;
}

/** What became of a document: its operations or the error, and the mapping. */
function outcome(parse: (batch: BatchWriter, parser: DocumentParser) => unknown) {
  const model = freshModel();
  const batch = new BatchWriter(64);
  let error = '';
  try {
    parse(batch, new DocumentParser(model));
  } catch (e) {
    error = String(e);
  }
  return { error, operations: batch.bytes(), mapping: model.save() };
}

const input = { type: 't', id: 'x', times: { timestamp: undefined, ttl: undefined, now: 1e12 } };

function atOneGo(bytes: Uint8Array) {
  return outcome((batch, parser) => parser.parse(batch, 5, { ...input, ...readSource(bytes) }));
}

function inSteps(bytes: Uint8Array, count: (steps: number) => void = () => {}) {
  return outcome((batch, parser) => {
    function* all(work: WorkLimit): Turns<void> {
      const read = yield* readSourceInTurns(bytes, work);
      yield* parser.parseInTurns(batch, 5, { ...read, ...input }, work);
    }
    const steps = all(hasty());
    let taken = 0;
    while (steps.next().done !== true) taken++;
    count(taken);
  });
}

function same(source: unknown): void {
  const bytes = new TextEncoder().encode(typeof source === 'string' ? source : JSON.stringify(source));
  expect(inSteps(bytes)).toEqual(atOneGo(bytes));
}

const ring = (corners: number, radius = 3) =>
  Array.from({ length: corners + 1 }, (_, i) => {
    const angle = (2 * Math.PI * (i % corners)) / corners;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });

const scalar = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom<unknown>(null, true, -0, 2 ** 60, '2014-01-02', '1,2', 'u10j'),
);
const shape = fc.oneof(
  fc.nat({ max: 12 }).map((corners) => ({ type: 'polygon', coordinates: [ring(corners)] })),
  fc.constantFrom<unknown>(
    { type: 'point', coordinates: [1, 2] },
    {
      type: 'polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
          [0, 0],
        ],
      ],
    },
    { type: 'circle' },
    null,
  ),
);
const point = fc.constantFrom<unknown>([1, 2], '1,2', { lat: 1, lon: 2 }, 'u10j', null, 3, [[1, 2]], []);
const listed = (one: fc.Arbitrary<unknown>) => fc.oneof(one, fc.array(one, { maxLength: 5 }));
const any = fc.oneof(
  scalar,
  fc.array(fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })), { maxLength: 5 }),
  fc.dictionary(fc.string({ maxLength: 2 }), scalar, { maxKeys: 3 }),
);
const fields = fc.record(
  {
    text: listed(scalar),
    raw: listed(scalar),
    whole: listed(fc.integer()),
    point: listed(point),
    shape: listed(shape),
    inner: listed(fc.oneof({ weight: 5, arbitrary: fc.record({ whole: fc.integer(), fresh: any }) }, scalar)),
    strict: fc.constantFrom<unknown>({}, { x: null }, { x: 1 }),
    ignored: fc.record({ x: any }),
    off: any,
    many: listed(fc.record({ shape: listed(shape), more: any }, { requiredKeys: [] })),
    fresh: any,
    newer: listed(any),
  },
  { requiredKeys: [] },
);

describe('documents in turns', () => {
  it('become the same operations, fields and errors', () => {
    fc.assert(fc.property(fields, same), { numRuns: 600, seed: 3 });
  });

  it('are read as leniently', () => {
    for (const text of [
      '',
      'none',
      '{"text":"a","text":"b","whole":[1,2],"whole":3}',
      "{text:'a', whole: 1}",
      '{"text":"a"',
      '{"text":1.50,"fresh":12345678901234567890}',
      `{"off":${'['.repeat(1200)}${']'.repeat(1200)},"text":"a"}`,
      `{"fresh":${'['.repeat(1200)}${']'.repeat(1200)}}`,
    ])
      same(text);
  });

  it('stop between values, in lists that fields read themselves and within shapes', () => {
    const taken = (source: unknown) => {
      let steps = 0;
      const bytes = new TextEncoder().encode(JSON.stringify(source));
      const { error } = inSteps(bytes, (count) => {
        steps = count;
      });
      expect(error).toBe('');
      return steps;
    };
    const base = taken({});
    expect(taken({ whole: Array.from({ length: 1000 }, (_, i) => i) }) - base).toBeGreaterThan(900);
    expect(taken({ fresh: Array.from({ length: 1000 }, (_, i) => i) }) - base).toBeGreaterThan(900);
    expect(taken({ many: Array.from({ length: 1000 }, () => ({})) }) - base).toBeGreaterThan(900);
    expect(taken({ point: Array.from({ length: 1000 }, (_, i) => [i % 180, 1]) }) - base).toBeGreaterThan(3);
    expect(taken({ shape: { type: 'polygon', coordinates: [ring(100)] } }) - base).toBeGreaterThan(100);
  });

  it('leave their neighbours as they are', async () => {
    const node = await startNode();
    const whole = Array.from({ length: 60_000 }, (_, i) => i);
    const lines = [];
    for (let i = 0; i < 9; i++) {
      lines.push({ index: { _id: `${i}` } }, i % 3 === 1 ? { n: i, whole } : { n: i, whole: [i] });
    }
    lines.push({ update: { _id: '1' } }, { doc: { n: 100 } });
    lines.push({ index: { _id: '4', _version: 7 } }, { n: 200, whole });
    const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
    const { body: bulk } = await node.call('POST', '/i/t/_bulk?refresh', body);
    const outcomes = bulk.items.map((item: Record<string, { status: number; _version: number }>) => {
      const [{ status, _version }] = Object.values(item) as [{ status: number; _version: number }];
      return [status, _version];
    });
    expect(outcomes).toEqual([...Array.from({ length: 9 }, () => [201, 1]), [200, 2], [409, undefined]]);
    const found = await node.call('POST', '/i/_search', {
      query: { term: { whole: 59_999 } },
      fields: ['n'],
      sort: 'n',
    });
    const numbers = found.body.hits.hits.map((hit: { fields: { n: number[] } }) => hit.fields.n[0]);
    expect(numbers).toEqual([4, 7, 100]);
    await node.engine.close();
  });
});
