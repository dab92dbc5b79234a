import { afterEach, describe, expect, it } from 'vitest';
import { frequentAnalyzers } from '../../host/analysis/frequentAnalyzers.js';
import { analysisParts } from '../../host/analysis/lateParts.js';
import { AnalyzerRegistry } from '../../host/analysis/registry.js';
import { filterKind, queryKind, RARE_NAMES } from '../../host/query/frequentKinds.js';
import { FILTER_KINDS, QUERY_KINDS } from '../../host/query/kinds.js';
import { allParts, LatePart, partsOfMetadata, partsOfRequest, someAreLate } from '../../host/latePart.js';

afterEach(async () => {
  await allParts();
});

const part = (...words: string[]) => new LatePart('tides', words, async () => 'high');
const loadedBy = async (load: Promise<unknown> | undefined, asked: LatePart<string>) => {
  await load;
  try {
    return asked.loaded === 'high';
  } catch {
    return false;
  }
};

describe('a part of the host that is loaded when it is needed', () => {
  it.each([
    ['/sea/_search', '{"query":{"tide":{}}}'],
    ['/sea/_search?sort=TIDE', ''],
    ['/sea/_search', '{"query":{"\\u0074ide":{}}}'],
    ['/sea/_search?q=%74ide', ''],
    ['/sea/_search/template', '{"id":"x"}'],
    ['/sea/boat/_percolate', '{}'],
    ['/sea/_warmer/x', '{}'],
  ])('is loaded for %s %s', async (uri, body) => {
    const tides = part('tide');
    expect(someAreLate()).toBe(true);
    expect(await loadedBy(partsOfRequest([uri, body]), tides)).toBe(true);
    expect(partsOfRequest([uri, body])).toBeUndefined();
  });

  it.each([
    ['/sea/_search', '{"query":{"match_all":{}}}'],
    ['/sea/_search?q=%20', '{"query":{"match":{"a":"\\\\n"}}}'],
  ])('is not loaded for %s %s', async (uri, body) => {
    const tides = part('tide');
    expect(partsOfRequest([uri, body])).toBeUndefined();
    expect(await loadedBy(undefined, tides)).toBe(false);
  });

  it('is loaded where metadata name it, or queries are stored', async () => {
    for (const metadata of ['{"mappings":{"a":{"type":"tide"}}}', '{"mappings":{".percolator":{}}}']) {
      const tides = part('tide');
      expect(await loadedBy(partsOfMetadata([metadata]), tides)).toBe(true);
    }
    part('tide');
    expect(partsOfMetadata(['{"warmers":{},"mappings":{"template":{}}}'])).toBeUndefined();
  });

  it('is found by the next request where no word told of it', async () => {
    const tides = part('tide');
    expect(() => tides.loaded).toThrow(
      expect.objectContaining({ status: 503, detail: 'tides is being loaded, ask again' }),
    );
    await tides.load();
    expect(tides.loaded).toBe('high');
  });

  it('is asked for again where it could not be loaded', async () => {
    let tries = 0;
    const tides = new LatePart('tides', ['tide'], async () => {
      if (tries++ === 0) throw new Error('no network');
      return 'high';
    });
    await expect(partsOfRequest(['/_tides'])).rejects.toMatchObject({
      status: 503,
      detail: "tides can't be loaded: no network",
    });
    await partsOfRequest(['/_tides']);
    expect(tides.loaded).toBe('high');
    expect(tries).toBe(2);
  });
});

describe('a query or filter', () => {
  const names = [...QUERY_KINDS, ...FILTER_KINDS].flatMap((kind) => kind.names);

  it('is found by each of its names, be it frequent or rare', () => {
    for (const kind of QUERY_KINDS) for (const name of kind.names) expect(queryKind(name)).toBe(kind);
    for (const kind of FILTER_KINDS) for (const name of kind.names) expect(filterKind(name)).toBe(kind);
    expect(RARE_NAMES.filter((name) => !names.includes(name))).toEqual([]);
    expect([queryKind('nosuch'), filterKind('nosuch')]).toEqual([undefined, undefined]);
  });
});

it('a frequent analyzer is what one of its type is without settings', () => {
  const run = () => {
    throw new Error('no text is analyzed');
  };
  for (const name of frequentAnalyzers.keys()) {
    const registry = new AnalyzerRegistry(run, { 'index.analysis.analyzer.defined.type': name });
    for (const asked of ['core', 'positionGap', 'givesLongTerms', 'onHost'] as const)
      expect(registry[asked](name), `${asked} of ${name}`).toEqual(registry[asked]('defined'));
  }
});

it('analyzers are asked for where a field has another than a frequent one', () => {
  const words = new RegExp(analysisParts.words.join('|'), 'i');
  for (const text of [
    '{"analyzer":"standard"}',
    '{"analyzer":""}',
    '{"analyzer":"default"}',
    '{"index":"not_analyzed"}',
  ])
    expect(words.test(text), text).toBe(false);
  for (const text of [
    '{"analyzer":"german"}',
    '{"analyzer": "standard"}',
    '?analyzer=standard',
    '{"analysis":{}}',
  ])
    expect(words.test(text), text).toBe(true);
});
