import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { offeredRoutes } from '../../host/rest/routes.js';
import { BODIES, LINES, PARAMETERS, PARTS, VALUES } from '../support/requestWords.js';

/** Requests made of the route table and of bodies that work, bent out of shape; `RESILIN_FUZZ_RUNS=10` makes ten times as many. */
const RUNS = 2500 * Number(process.env.RESILIN_FUZZ_RUNS ?? 1);

let resilin: Resilin;
const setUp = async () => {
  for (const name of ['a', 'b']) {
    await resilin.request('PUT', `/${name}`, { settings: { number_of_shards: 2 }, aliases: { al: {} } });
    await resilin.request('PUT', `/${name}/t/1?refresh=true`, { s: 'red fox', n: 1, o: { d: '2014-01-01' } });
  }
};
beforeAll(async () => {
  resilin = await createEngine();
  await setUp();
});
afterAll(() => resilin.close());

const SCALARS = [null, true, '', 'x', '*', -1, 0, 1e9, 2 ** 53, 0.5, [], {}, [[]], 'é\ud800', '_all'];

const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH');
const templates = () => {
  const pairs = offeredRoutes().map(({ method: each, path }) => [each, path] as const);
  // Deleting indices and closing them would leave little to ask.
  return pairs.filter(
    ([each, path]) => !(each === 'DELETE' && path.split('/').length <= 2) && !path.includes('_close'),
  );
};

/** A value with some part of it replaced. */
const bent: fc.Arbitrary<unknown> = fc
  .tuple(
    fc.constantFrom(...BODIES),
    fc.array(fc.tuple(fc.nat(40), fc.constantFrom(...SCALARS)), { maxLength: 3 }),
  )
  .map(([body, changes]) => {
    let out = structuredClone(body);
    for (const [at, scalar] of changes) {
      let n = 0;
      const walk = (value: unknown): unknown => {
        if (n++ === at) return scalar;
        if (Array.isArray(value)) return value.map(walk);
        if (typeof value !== 'object' || value === null) return value;
        return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each)]));
      };
      out = walk(out);
    }
    return out;
  });

const text = fc
  .tuple(
    fc.oneof(
      bent.map((body) => JSON.stringify(body) ?? ''),
      fc.constantFrom(...LINES),
    ),
    fc.nat(),
    fc.nat(9),
    fc.constantFrom('', '{', '}', '"', '\\', '\n', 'x', '0'),
  )
  .map(([body, at, how, put]) => {
    // Most bodies stay JSON; some lose their end, or get something in the middle.
    if (how === 0) return body.slice(0, at % (body.length + 1));
    if (how === 1) return body.slice(0, at % (body.length + 1)) + put + body.slice(at % (body.length + 1));
    return how === 2 ? '' : body;
  });

/** What 1.7 answers with 500 as well. */
const DELIBERATE =
  /AggregationExecutionException|ClassCastException|MustacheException|Result window is too large|NullPointerException|JsonParseException|IllegalArgumentException\[(Malformed|Action|No enum)|NumberFormatException|TimestampParsingException|SettingsException|Scroll must be provided|Shutdown is disabled|failed to execute suggest|IOException|TooLongFrame/;

it('no request brings anything but an answer of the interface', async () => {
  const request = fc.record({
    route: fc.constantFrom(...templates()),
    other: fc.option(method, { freq: 8 }),
    parts: fc.array(fc.constantFrom(...PARTS), { minLength: 4, maxLength: 4 }),
    parameters: fc.array(fc.tuple(fc.constantFrom(...PARAMETERS), fc.constantFrom(...VALUES)), {
      maxLength: 3,
    }),
    body: text,
  });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(request, async ({ route, other, parts, parameters, body }) => {
      const [own, template] = route;
      let i = 0;
      const path = template.replaceAll(/\{\w+\}/g, () => parts[i++ % 4]!);
      // Nobody waits for a health that never comes.
      const waits = template.startsWith('/_cluster/health') ? [['timeout', '0'] as const] : [];
      const query = [...parameters, ...waits].map(([name, value]) => `${name}=${value}`).join('&');
      const uri = query === '' ? path : `${path}?${query}`;
      const ask = (asked: string) => resilin.handle(other ?? own, asked, new TextEncoder().encode(body));
      const { status, body: answer } = await ask(uri);
      let said = new TextDecoder().decode(answer);
      // A filter may leave nothing of an error that says which it is.
      if (status >= 500 && query.includes('filter_path'))
        said = new TextDecoder().decode((await ask(uri.replaceAll('filter_path', 'x'))).body);
      // An engine without a server has nothing to tell of one: 501.
      if (status >= 500 && status !== 501 && status !== 503 && !DELIBERATE.test(said))
        throw new Error(`${other ?? own} ${uri} ${body}: ${status} ${said}`);
      if (++count % 500 === 0) await setUp();
    }),
    { numRuns: RUNS },
  );
  expect((await resilin.request('GET', '/_cluster/health')).status).toBe(200);
}, 120_000);
