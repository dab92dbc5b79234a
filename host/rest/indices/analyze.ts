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
import { isPlain, json, type RestResponse, type RoutedRequest } from '../request.js';
import type { EndpointGroup } from '../endpoint.js';

const ANALYZE = {
  methods: ['GET', 'POST'],
  action: 'indices:admin/analyze',
  pool: 'management',
  parameters: ['text', 'analyzer', 'tokenizer', 'filters', 'token_filters', 'char_filters', 'field'],
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

/** The types of fields whose values are no texts. */
const NUMERIC = new Set(['long', 'integer', 'short', 'byte', 'double', 'float', 'date', 'ip', 'token_count']);

async function analyze(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  const text = query.get('text') ?? bodyText(request);
  if (text === '' && !query.has('text')) throw illegalArgument('text is missing');
  let index: OpenIndex | undefined;
  if (path.index !== undefined) {
    const found = engine.resolve(path.index, DOCUMENT_CALL);
    index = found[0];
    if (index === undefined) throw indexMissing(path.index);
    if (found.length > 1) {
      const names = found.map(({ name }) => name).join(', ');
      throw illegalArgument(
        `Alias [${path.index}] has more than one indices associated with it [[${names}]], can't execute a single index op`,
      );
    }
  }
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
  if (field !== undefined) {
    if (index === undefined) {
      throw illegalArgument(
        'No index provided, and trying to analyzer based on a specific field which requires the index parameter',
      );
    }
    const found = index.model.find(field)?.field;
    if (found !== undefined && NUMERIC.has(found.type)) {
      throw illegalArgument(
        `Can't process field [${field}], Analysis requests are not supported on numeric fields`,
      );
    }
    const analyzer = found === undefined ? undefined : registry.analyzer(found.indexAnalyzer());
    return analyzer ?? byDefault(registry);
  }
  const name = query.get('analyzer');
  if (name !== undefined) {
    const analyzer = registry.analyzer(name);
    if (analyzer === undefined) throw illegalArgument(`failed to find analyzer [${name}]`);
    return analyzer;
  }
  const tokenizer = query.get('tokenizer');
  if (tokenizer === undefined) return byDefault(registry);
  return registry.assemble(
    { tokenizer, filters: list(query, 'token_filters', 'filters'), charFilters: list(query, 'char_filters') },
    index === undefined,
  );
}

function byDefault(registry: AnalyzerRegistry): Analyzer {
  return registry.analyzer(registry.has('default_index') ? 'default_index' : 'default')!;
}

/** A list with commas, under the first of these names that is given. */
function list(query: ReadonlyMap<string, string>, ...names: string[]): string[] {
  const given = names.map((name) => query.get(name)).find((value) => value !== undefined);
  return (given ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
