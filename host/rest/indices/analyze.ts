/** Analysis of a text: `_analyze`. */
import type { Analyzer, Token } from '../../analysis/analyzer.js';
import type { AnalyzerRegistry } from '../../analysis/registry.js';
import { illegalArgument, indexMissing } from '../../errors.js';
import type { Engine } from '../../engine/engine.js';
import { DOCUMENT_CALL } from '../../metadata/names.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import { Passes } from '../../passes.js';
import { bodyText } from '../body.js';
import { type Json, Raw, writeJson } from '../json.js';
import { flag, isPlain, json, type RestResponse, type RoutedRequest } from '../request.js';
import type { EndpointGroup } from '../endpoint.js';
import { analyzerOfField, defaultAnalyzer } from './analyzerOfField.js';
import { explainAnalysis } from './explainAnalysis.js';

const ANALYZE = {
  methods: ['GET', 'POST'],
  action: 'indices:admin/analyze',
  pool: 'management',
  parameters: [
    'text',
    'analyzer',
    'tokenizer',
    'filters',
    'token_filters',
    'char_filters',
    'field',
    'explain',
  ],
  ignored: ['prefer_local'],
  readOnly: true,
  handler: analyze,
} as const;

export const analyzeEndpoints: EndpointGroup = {
  name: 'Analyze',
  purpose: 'The tokens of a text.',
  tag: 'common',
  endpoints: [
    { ...ANALYZE, paths: ['/_analyze'], privilege: 'authenticated' },
    { ...ANALYZE, paths: ['/{index}/_analyze'], privilege: 'read' },
  ],
};

async function analyze(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  if (flag(query, 'explain')) return explainAnalysis(engine, request, indexOf(engine, path.index));
  const text = query.get('text') ?? bodyText(request);
  if (text === '' && !query.has('text')) throw illegalArgument('text is missing');
  const index = indexOf(engine, path.index);
  if (text.length > MAX_TEXT)
    throw illegalArgument(
      `a text to analyze may have at most ${MAX_TEXT} characters, this one has ${text.length}`,
    );
  const analyzer = choose(engine.analyzers, index, query);
  const held = engine.breakers.hold('request', text.length * CHAR_BYTES, LABEL);
  // Of a text of a thousand characters, path_hierarchy and ngram make a hundred megabytes of tokens.
  const weigh = (bytes: number) => engine.breakers.grow('request', held, bytes, LABEL);
  try {
    const tokens = await new Passes(request.limit, weigh).run(() => analyzer.analyze(text));
    // Written in pieces they are let go, otherwise all of them are objects once more.
    if (tokens.length > SLICE && !isPlain(query)) weigh(tokens.length * SHOWN_BYTES);
    if (tokens.length <= SLICE || !isPlain(query))
      return json(request, 200, { tokens: tokens.map(shownToken) });
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < tokens.length; at += SLICE) {
      const list = writeJson(tokens.slice(at, at + SLICE).map(shownToken));
      // The brackets around a slice become commas between them.
      list[0] = at === 0 ? OPEN : COMMA;
      list[list.length - 1] = CLOSE;
      pieces.push(at + SLICE < tokens.length ? list.subarray(0, -1) : list);
      await engine.turn();
    }
    return json(request, 200, { tokens: new Raw(...pieces) });
  } finally {
    held.release();
  }
}

/** The one index that a path names; undefined where it names none. */
function indexOf(engine: Engine, name: string | undefined): OpenIndex | undefined {
  if (name === undefined) return undefined;
  const found = engine.resolve(name, DOCUMENT_CALL);
  const [index] = found;
  if (index === undefined) throw indexMissing(name);
  if (found.length === 1) return index;
  const names = found.map((each) => each.name).join(', ');
  throw illegalArgument(
    `Alias [${name}] has more than one indices associated with it [[${names}]], can't execute a single index op`,
  );
}

/** Tokens that are written before others get their turn. */
const SLICE = 2000;
/** Characters of a text: analyzing it is one step. */
const MAX_TEXT = 512 * 1024;
/** What a token takes that is shown, about. */
const SHOWN_BYTES = 100;
/** What the breakers call it. */
const LABEL = '<analyze>';
/** What a character of a text takes as tokens, about. */
const CHAR_BYTES = 40;
const [OPEN, COMMA, CLOSE] = [0x5b, 0x2c, 0x5d];

function shownToken({ term, startOffset, endOffset, type, position }: Token): Json {
  return { token: term, start_offset: startOffset, end_offset: endOffset, type, position };
}

/** The analyzer that the parameters mean. */
function choose(
  global: AnalyzerRegistry,
  index: OpenIndex | undefined,
  query: ReadonlyMap<string, string>,
): Analyzer {
  const registry = index?.registry ?? global;
  const field = query.get('field');
  if (field !== undefined) return registry.analyzer(analyzerOfField(registry, index, field))!;
  const name = query.get('analyzer');
  if (name !== undefined) {
    const analyzer = registry.analyzer(name);
    if (analyzer === undefined) throw illegalArgument(`failed to find analyzer [${name}]`);
    return analyzer;
  }
  const tokenizer = query.get('tokenizer');
  if (tokenizer === undefined) return registry.analyzer(defaultAnalyzer(registry))!;
  return registry.assemble(
    { tokenizer, filters: list(query, 'token_filters', 'filters'), charFilters: list(query, 'char_filters') },
    index === undefined,
  );
}

/** A list with commas, under the first of these names that is given. */
function list(query: ReadonlyMap<string, string>, ...names: string[]): string[] {
  const given = names.map((name) => query.get(name)).find((value) => value !== undefined);
  return (given ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
