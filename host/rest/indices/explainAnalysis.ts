/**
 * `_analyze?explain=true`: a text after each part of an analyzer, as Elasticsearch has it from 2.2 on. 1.7 has no such parameter, so its answers
 * stay as they are.
 */
import type { Token } from '../../analysis/analyzer.js';
import { stagesOf } from '../../analysis/stagedAnalysis.js';
import type { StagedParts } from '../../analysis/stages.js';
import { illegalArgument } from '../../errors.js';
import type { Engine } from '../../engine/engine.js';
import { isObject } from '../../json/values.js';
import type { OpenIndex } from '../../metadata/openIndex.js';
import { Passes } from '../../passes.js';
import { parseBody } from '../body.js';
import type { Json } from '../json.js';
import { json, type RestResponse, type RoutedRequest } from '../request.js';
import { analyzerOfField, defaultAnalyzer } from './analyzerOfField.js';

/** Characters of a text: it is analyzed once for each stage, and all tokens of all stages are answered. */
const MAX_TEXT = 128 * 1024;
/** Parts of a chain that is tried. */
const MAX_PARTS = 64;
/** Bytes that a token takes, and is answered with, about. */
const TOKEN_BYTES = 200;
/** What the breakers call it. */
const LABEL = '<analyze>';

/** The body's names for a list, the oldest last. */
const FILTERS = ['filter', 'filters', 'token_filters'];
const CHAR_FILTERS = ['char_filter', 'char_filters'];

type Body = Readonly<Record<string, unknown>>;

export async function explainAnalysis(
  engine: Engine,
  request: RoutedRequest,
  index: OpenIndex | undefined,
): Promise<RestResponse> {
  const asked: Body = { ...Object.fromEntries(request.query), ...parseBody(request) };
  const text = textOf(asked);
  const registry = index?.registry ?? engine.analyzers;
  const parts = partsOf(asked, registry, index);
  const stages = stagesOf(parts, registry.run);
  const held = engine.breakers.hold('request', text.length, LABEL);
  const weigh = (bytes: number) => engine.breakers.grow('request', held, bytes, LABEL);
  try {
    const passes = new Passes(request.limit, weigh);
    const charFilters: Json[] = [];
    const tokens: Json[] = [];
    for (const stage of stages) {
      const { name, type } = stage;
      if (stage.kind === 'charFilter') {
        const filtered = await passes.run(() => stage.text(text));
        weigh(filtered.length);
        charFilters.push({ name, type, filtered_text: [filtered] });
      } else {
        const found = await passes.run(() => stage.tokens(text));
        weigh(found.length * TOKEN_BYTES);
        tokens.push({ name, type, tokens: found.map(shownToken) });
      }
      // What one stage has come to isn't what the next one begins with.
      passes.forget();
      await engine.turn();
    }
    const [tokenizer = null, ...tokenFilters] = tokens;
    const isCustom = parts.type === 'custom';
    return json(request, 200, {
      detail: {
        custom_analyzer: isCustom,
        analyzer_type: parts.type,
        charfilters: charFilters,
        tokenizer,
        tokenfilters: tokenFilters,
      },
    });
  } finally {
    held.release();
  }
}

function textOf({ text }: Body): string {
  if (typeof text !== 'string') throw illegalArgument('text is missing');
  if (text.length > MAX_TEXT)
    throw illegalArgument(
      `a text to analyze stage by stage may have at most ${MAX_TEXT} characters, this one has ${text.length}`,
    );
  return text;
}

function partsOf(asked: Body, registry: Engine['analyzers'], index: OpenIndex | undefined): StagedParts {
  const { field, analyzer, tokenizer } = asked;
  const charFilters = listOf(asked, CHAR_FILTERS);
  const filters = listOf(asked, FILTERS);
  if (typeof field === 'string') return registry.staged(analyzerOfField(registry, index, field))!;
  if (typeof analyzer === 'string') {
    const found = registry.staged(analyzer);
    if (found === undefined) throw illegalArgument(`failed to find analyzer [${analyzer}]`);
    return found;
  }
  if (tokenizer === undefined) {
    if (filters.length + charFilters.length > 0) throw illegalArgument('filters need a tokenizer');
    return registry.staged(defaultAnalyzer(registry))!;
  }
  if (charFilters.length + filters.length > MAX_PARTS)
    throw illegalArgument(`a chain may have at most ${MAX_PARTS} filters`);
  return registry.stagedChain({ tokenizer: partOf(tokenizer), charFilters, filters });
}

/** A list of names and definitions; in the path's query one of names with commas. */
function listOf(asked: Body, names: readonly string[]): (string | Body)[] {
  const given = names.map((name) => asked[name]).find((value) => value !== undefined);
  if (given === undefined) return [];
  if (Array.isArray(given)) return given.map(partOf);
  if (typeof given !== 'string') return [partOf(given)];
  return given
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function partOf(value: unknown): string | Body {
  if (typeof value === 'string') return value;
  if (isObject(value)) return settingsOf(value);
  throw illegalArgument('a part of a chain is a name, or an object with a type and settings');
}

/** A definition as settings have it: texts, and lists of texts. */
function settingsOf(definition: Body): Body {
  const plain = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(plain) : isObject(value) ? value : String(value);
  return Object.fromEntries(
    Object.entries(definition)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, plain(value)]),
  );
}

function shownToken({ term, startOffset, endOffset, type, position, keyword }: Token): Json {
  return {
    token: term,
    start_offset: startOffset,
    end_offset: endOffset,
    type,
    position,
    keyword: keyword === true ? true : undefined,
  };
}
