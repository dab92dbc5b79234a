import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

/** How dates, time zones and small numbers are read, as Elasticsearch 1.7.3 and its Joda-Time read them. */

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const put = async (body: unknown) => {
  const { status, body: answer } = await call('PUT', '/i/t/x?refresh=true', body);
  return status < 300 ? 'taken' : (answer as { error: string }).error;
};
/** The values of a field that the last document was indexed with. */
const indexed = async (body: object, field: string) => {
  const taken = await put(body);
  if (taken !== 'taken') return taken;
  const { body: answer } = await call('POST', '/i/_search', { fielddata_fields: [field] });
  const { hits } = (answer as { hits: { hits: { fields: Record<string, number[]> }[] } }).hits;
  return hits[0]!.fields[field]?.[0];
};

beforeAll(async () => {
  resilin = await createEngine();
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
  const properties = { d: { type: 'date' }, b: { type: 'byte' }, s: { type: 'short' } };
  await call('PUT', '/i', { settings, mappings: { t: { properties } } });
});
afterAll(() => resilin.close());

describe('dates', () => {
  it.each([
    ['2014-W10-3', '2014-03-05T00:00:00Z'],
    ['2014-W10', '2014-03-03T00:00:00Z'],
    ['2015-W53-7T10', '2016-01-03T10:00:00Z'],
    ['2014-060', '2014-03-01T00:00:00Z'],
    ['2016-366T12:30Z', '2016-12-31T12:30:00Z'],
    ['2014-03-05T10.5', '2014-03-05T10:30:00Z'],
    ['2014-03-05T10:15,25', '2014-03-05T10:15:15Z'],
    ['2014-03-05T10:15:01.1239', '2014-03-05T10:15:01.123Z'],
  ])('%s', async (text, moment) => {
    expect(await indexed({ d: text }, 'd')).toBe(Date.parse(moment));
  });

  it.each([
    ['2014-W53-1', 'Value 53 for weekOfWeekyear must be in the range [1,52]'],
    ['2014-W10-8', 'Value 8 for dayOfWeek must be in the range [1,7]'],
    ['2014-366', 'Value 366 for dayOfYear must be in the range [1,365]'],
    ['2014-0601', 'is malformed at "1"'],
  ])('not %s', async (text, why) => {
    expect(await put({ d: text })).toContain(why);
  });

  it('bound ranges', async () => {
    await put({ d: '2014-03-05T13:00' });
    const count = async (bounds: object) => {
      const { body } = await call('POST', '/i/_count', { query: { range: { d: bounds } } });
      return (body as { count: number }).count;
    };
    expect(await count({ gte: '2014-W10', lte: '2014-064' })).toBe(1);
    expect(await count({ lte: '2014-063' })).toBe(0);
    // Without a weekday, the upper end is the week's Thursday.
    expect(await count({ lte: '2014-W10' })).toBe(1);
  });
});

describe('time zones', () => {
  const zoned = async (zone: unknown) => {
    const aggs = { a: { date_histogram: { field: 'd', interval: 'hour', time_zone: zone } } };
    const { status, body } = await call('POST', '/i/_search?search_type=count', { aggs });
    return status === 200 ? 'taken' : /nested: (.*); }\]$/.exec((body as { error: string }).error)?.[1];
  };

  it.each(['+01:00', '-2:30', '+0130', '-05', '5:3', -5, 'Europe/Paris', 'UTC'])('%j', async (zone) => {
    expect(await zoned(zone)).toBe('taken');
  });

  it.each([
    ['-5', 'Invalid format: "-5" is malformed at "5"'],
    ['+', 'Invalid format: "+" is too short'],
    ['+25:00', 'Hours out of range: 25'],
    ['1:75', 'Minutes out of range: 75'],
    ['5', "The datetime zone id '5' is not recognised"],
    ['utc', "The datetime zone id 'utc' is not recognised"],
  ])('not %j', async (zone, why) => {
    expect(await zoned(zone)).toBe(`IllegalArgumentException[${why}]`);
  });
});

describe('numbers of few bits', () => {
  it('wrap around in bytes, up to what a short holds', async () => {
    expect(await indexed({ b: 128 }, 'b')).toBe(-128);
    expect(await indexed({ b: '300' }, 'b')).toBe(44);
    expect(await put({ b: 40_000 })).toContain('Numeric value (40000) out of range of Java short');
    expect(await put({ b: '40000' })).toContain(
      'NumberFormatException[Value out of range. Value:"40000" Radix:10]',
    );
    expect(await put({ s: 40_000 })).toContain('out of range of Java short');
    expect(await put({ s: 'x' })).toContain('NumberFormatException[For input string: "x"]');
  });
});
