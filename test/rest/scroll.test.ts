import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../host/time/clock.js';
import { createEngine, type Resilin } from '../../host/index.js';

/** A clock that the test turns. */
class TurnedClock implements Clock {
  #time = 1_000_000;
  readonly #timers = new Set<{ at: number; callback: () => void }>();

  now(): number {
    return this.#time;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#time + ms, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  turn(ms: number): void {
    this.#time += ms;
    for (const timer of [...this.#timers]) {
      if (timer.at > this.#time || !this.#timers.delete(timer)) continue;
      timer.callback();
    }
  }
}

let resilin: Resilin;
let clock: TurnedClock;
beforeEach(async () => {
  clock = new TurnedClock();
  resilin = await createEngine({ clock });
  await call('PUT', '/a', {
    settings: { number_of_shards: 3, number_of_replicas: 0, refresh_interval: '-1' },
  });
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
interface Page {
  _scroll_id: string;
  _shards: { total: number };
  hits: { total: number; max_score: number | null; hits: { _id: string; _score: number }[] };
}
const page = async (method: string, uri: string, body?: unknown) =>
  (await call(method, uri, body)).body as Page;
const ids = ({ hits }: Page) => hits.hits.map(({ _id }) => _id);
const write = async (from: number, to: number, text = 'red') => {
  let lines = '';
  for (let i = from; i < to; i++)
    lines += `{"index":{"_id":${i}}}\n{"n":${i},"s":"${text}${' x'.repeat(i % 4)}"}\n`;
  await call('POST', '/a/t/_bulk?refresh=true', lines);
};

/** All pages after the first, by the ids of their hits. */
const rest = async (first: Page) => {
  const pages: string[][] = [];
  for (let id = first._scroll_id; ; ) {
    const next = await page('POST', '/_search/scroll?scroll=1m', id);
    if (next.hits.hits.length === 0) return pages;
    pages.push(ids(next));
    id = next._scroll_id;
  }
};

describe('a scroll', () => {
  it('gives the hits of one search, page by page, however the index changes meanwhile', async () => {
    await write(0, 50);
    const body = { query: { match: { s: 'red' } }, size: 7 };
    const all = ids(await page('POST', '/a/_search', { ...body, size: 50 }));
    const first = await page('POST', '/a/_search?scroll=1m', body);
    expect(ids(first)).toEqual(all.slice(0, 7));
    await write(0, 20, 'blue');
    for (let i = 20; i < 30; i++) await call('DELETE', `/a/t/${i}`);
    await write(60, 70);
    await call('POST', '/a/_optimize?max_num_segments=1');
    expect((await rest(first)).flat()).toEqual(all.slice(7));
    expect((await page('POST', '/a/_search', { ...body, size: 0 })).hits.total).toBe(30);
  });

  it('takes its id from the path, a parameter, the body or what stands in for it', async () => {
    await write(0, 11);
    const { _scroll_id: id } = await page('GET', '/a/_search?scroll=1m&size=2');
    expect(ids(await page('GET', `/_search/scroll?scroll_id=${encodeURIComponent(id)}`))).toHaveLength(2);
    expect(ids(await page('GET', `/_search/scroll/${encodeURIComponent(id)}?scroll=1m`))).toHaveLength(2);
    expect(ids(await page('POST', '/_search/scroll?scroll=1m', id))).toHaveLength(2);
    expect(ids(await page('GET', `/_search/scroll?scroll=1m&source=${encodeURIComponent(id)}`))).toHaveLength(
      2,
    );
    expect(await page('POST', '/_search/scroll', id)).not.toHaveProperty('_scroll_id');
    for (const bad of ['', 'x', 'nonsense', '{}'])
      expect((await call('POST', '/_search/scroll', bad)).status).toBe(400);
  });

  it('ends when it is cleared, when its time is over, and with its index', async () => {
    await write(0, 9);
    const gone = async (id: string) => {
      const { status, body } = await call('POST', '/_search/scroll?scroll=1m', id);
      return [status, (body as { error?: string }).error?.includes('SearchContextMissingException') ?? false];
    };
    const open = async (keep = '1m') => (await page('GET', `/a/_search?scroll=${keep}&size=2`))._scroll_id;
    const cleared = await open();
    expect((await call('DELETE', '/_search/scroll', cleared)).status).toBe(200);
    expect((await call('DELETE', '/_search/scroll', cleared)).status).toBe(404);
    expect(await gone(cleared)).toEqual([404, true]);
    const [short, long, kept] = [await open('1m'), await open('1h'), await open('1m')];
    clock.turn(50_000);
    expect(await gone(kept)).toEqual([200, false]);
    clock.turn(50_000);
    expect([await gone(short), await gone(long), await gone(kept)]).toEqual([
      [404, true],
      [200, false],
      [200, false],
    ]);
    await call('POST', '/a/_close');
    expect(await gone(long)).toEqual([404, true]);
    expect(resilin.engine.scrolls.size).toBe(0);
  });
});

describe('a scan', () => {
  it('gives every document once, so many of each shard at a time, unscored', async () => {
    await write(0, 100);
    const first = await page('GET', '/a/_search?search_type=scan&scroll=1m&size=10');
    expect([first.hits.total, first.hits.hits]).toEqual([100, []]);
    const second = await page('POST', '/_search/scroll?scroll=1m', first._scroll_id);
    expect(second.hits.hits.length).toBe(30);
    expect(second.hits.hits.every(({ _score }) => _score === 0)).toBe(true);
    await write(0, 100, 'blue');
    const seen = [...ids(second), ...(await rest(second)).flat()];
    expect(seen.sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 100 }, (_, i) => String(i)),
    );
    const last = await page('POST', '/_search/scroll?scroll=1m', first._scroll_id);
    expect(last._shards.total).toBe(0);
  });

  it('scores nothing again', async () => {
    await write(0, 50);
    const again = { function_score: { field_value_factor: { field: 'n' } } };
    const rescore = { window_size: 40, query: { rescore_query: again } };
    const first = await page('POST', '/a/_search?search_type=scan&scroll=1m&size=10', { rescore });
    const found = (await rest(first)).flat();
    expect(found.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it('needs a scroll', async () => {
    expect(await call('GET', '/a/_search?search_type=scan')).toMatchObject({
      status: 500,
      body: { error: expect.stringContaining('Scroll must be provided when scanning') },
    });
  });
});

it('the rows of replaced documents go when the last scroll lets go of them', async () => {
  await write(0, 30);
  const { _scroll_id: id } = await page('GET', '/a/_search?scroll=1m&size=1');
  const { shards } = resilin.engine.index('a');
  const rows = () =>
    Array.from(
      { length: 100 },
      (_, key) => shards.filter((shard) => shard.documents.byKey(key)).length,
    ).reduce((sum, n) => sum + n, 0);
  await write(0, 30, 'blue');
  expect(rows()).toBe(60);
  await call('DELETE', '/_search/scroll', id);
  for (let i = 0; i < 100 && rows() > 30; i++) await call('GET', '/a/_search');
  expect(rows()).toBe(30);
});

it.each([1, 3])('knows the best score behind a hit where %i shards are sorted and scored', async (shards) => {
  const settings = { number_of_shards: shards, number_of_replicas: 0, refresh_interval: '-1' };
  await call('PUT', '/b', { settings });
  for (let n = 0; n < 12; n++) await call('PUT', `/b/t/${n}`, { n, s: 'fox' });
  await call('POST', '/b/_refresh');
  const pages = async (body: object) => {
    const best: (number | null)[] = [];
    let { body: page } = await call('POST', '/b/_search?scroll=1m', { size: 5, ...body });
    for (;;) {
      const { _scroll_id: id, hits } = page as {
        _scroll_id: string;
        hits: { max_score: number | null; hits: unknown[] };
      };
      best.push(hits.max_score);
      if (hits.hits.length === 0) return best;
      ({ body: page } = await call('GET', `/_search/scroll?scroll=1m&scroll_id=${encodeURIComponent(id)}`));
    }
  };
  const sort = { n: 'desc' };
  expect(await pages({ sort, track_scores: true })).toEqual([1, 1, 1, null]);
  expect(await pages({ sort })).toEqual([null, null, null, null]);
  if (shards === 1) expect(await pages({})).toEqual([1, null, null, null]);
});
