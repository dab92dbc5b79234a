/** Queries as the nodes of plans. */
import { Occur, Rewrite } from '../core/abi/plan.js';
import type { Binding, BoundExpression } from '../expression/program.js';
import { readExpression } from '../expression/reading.js';
import { partsOf, variablesOf } from '../expression/syntax.js';
import type { PlanNode, SpanNode } from '../plan/nodes.js';
import type { FunctionScoreNode } from '../plan/nodes/functionScore.js';
import type { MultiTermNode } from '../plan/nodes/multiTerm.js';
import { MAX_CLAUSES, MAX_DEPTH } from '../plan/plan.js';
import { BoostMode, ScoreMode } from '../plan/scoreFunction.js';
import type { TermMatcher } from '../plan/termMatcher.js';
import type { TermRange } from '../plan/termRange.js';
import { fuzzyMatcher, regexpMatcher, wildcardMatcher } from '../query/term/termMatchers.js';
import { CoreError, wrong } from './coreErrors.js';
import type { Field, Fields } from './fields.js';
import {
  type Bounds,
  type ManyTerms,
  MODIFIERS,
  type Query,
  type ScoreFunction,
  type SpanQuery,
} from './queries.js';

const REWRITES = {
  constant: Rewrite.constantFilter,
  scoring: Rewrite.scoringBoolean,
  top: Rewrite.topTerms,
  topConstant: Rewrite.topTermsBoost,
} as const;
/** What the top kinds of rewriting keep by default, and at most. */
const TOP_TERMS = 50;
const MOST_TERMS = 1024;

type OfKind<K extends Query['kind']> = Extract<Query, { kind: K }>;
const isSpan = (query: Query): query is SpanQuery => query.kind.startsWith('span');

/** Makes the nodes of one query, for the fields of a shard. */
export class QueryNodes {
  readonly #fields: Fields;
  #depth = 0;

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  /** A query that scores. */
  query(query: Query): PlanNode {
    return this.#below(() => {
      const node = this.#node(query, false);
      return isSet(node) ? { kind: 'constant', boost: boostOf(query), node } : node;
    });
  }

  /** A query that only matches. */
  filter(query: Query): PlanNode {
    return this.#below(() => this.#node(query, true));
  }

  #below<T>(make: () => T): T {
    if (this.#depth >= MAX_DEPTH)
      throw new CoreError('limit', `the query is more than ${MAX_DEPTH} levels deep`);
    this.#depth++;
    try {
      return make();
    } finally {
      this.#depth--;
    }
  }

  #node(query: Query, asFilter: boolean): PlanNode {
    if (isSpan(query)) return this.#span(query);
    const inner = (each: Query) => (asFilter ? this.filter(each) : this.query(each));
    switch (query.kind) {
      case 'all':
        return { kind: 'all', boost: boostOf(query) };
      case 'none':
        return { kind: 'none' };
      case 'keys':
        return { kind: 'keys', keys: [...new Set(query.keys.map(keyOf))].sort((a, b) => a - b) };
      case 'term':
        return this.#term(query);
      case 'terms': {
        const field = this.#fields.named(query.field);
        return {
          kind: 'terms',
          field: field.number,
          terms: query.values.map((value) => this.#fields.term(field, value)),
        };
      }
      case 'match':
        return this.#match(query);
      case 'phrase':
        return this.#phrase(query);
      case 'prefix': {
        const field = this.#textField(query.field);
        const start = this.#fields.term(field, query.prefix);
        return manyTerms(field, { type: 'prefix', prefix: start }, query, 'constant');
      }
      case 'wildcard':
        return manyTerms(this.#textField(query.field), wildcardMatcher(query.pattern), query, 'constant');
      case 'regexp':
        return manyTerms(this.#textField(query.field), regexpMatcher(query.pattern), query, 'constant');
      case 'fuzzy':
        return this.#fuzzy(query);
      case 'range':
        return this.#range(query, asFilter);
      case 'exists':
        return { kind: 'exists', field: this.#fields.named(query.field).number };
      case 'bool':
        return this.#boolean(query, inner);
      case 'constant':
        return { kind: 'constant', boost: boostOf(query), node: this.filter(query.filter) };
      case 'filtered':
        return {
          kind: 'filtered',
          boost: boostOf(query),
          query: inner(query.query),
          filter: this.filter(query.filter),
        };
      case 'disMax': {
        const { tieBreaker = 0 } = query;
        return { kind: 'disMax', boost: boostOf(query), tieBreaker, nodes: query.queries.map(inner) };
      }
      case 'demoting':
        return {
          kind: 'boosting',
          positive: inner(query.positive),
          negative: inner(query.negative),
          negativeBoost: query.factor,
        };
      case 'functionScore':
        return this.#functionScore(query, inner);
      default:
        throw wrong(`there is no query of the kind ${(query as { kind: unknown }).kind}`);
    }
  }

  /** A field whose terms are texts. */
  #textField(name: string): Field {
    const field = this.#fields.named(name);
    const { type } = field.definition;
    if (type === 'long' || type === 'double')
      throw wrong(`${name} has numbers; ask for a range of them`, name);
    return field;
  }

  #term(query: OfKind<'term'>): PlanNode {
    const field = this.#fields.named(query.field);
    const value = this.#fields.term(field, query.value);
    const { type } = field.definition;
    if (type === 'long' || type === 'double') return { kind: 'terms', field: field.number, terms: [value] };
    return { kind: 'term', field: field.number, boost: boostOf(query), term: value };
  }

  #match(query: OfKind<'match'>): PlanNode {
    const field = this.#textField(query.field);
    const { operator = 'or', minimum = 0 } = query;
    const places = placesOf(this.#fields.tokens(field, query.text));
    const boost = boostOf(query);
    if (places.length === 0) return { kind: 'none' };
    const word = (text: string, by = 1): PlanNode => ({
      kind: 'term',
      field: field.number,
      boost: by,
      term: this.#fields.term(field, text),
    });
    const [first] = places;
    if (places.length === 1 && first!.terms.length === 1) return word(first!.terms[0]!, boost);
    const anyOf = (texts: readonly string[], by: number): PlanNode => ({
      kind: 'boolean',
      noCoord: true,
      boost: by,
      minimum: 0,
      clauses: texts.map((text) => ({ occur: Occur.Should, node: word(text) })),
    });
    if (places.length === 1) return anyOf(first!.terms, boost);
    checkClauses(places.length);
    const occur = operator === 'and' ? Occur.Must : Occur.Should;
    const clauses = places.map(({ terms }) => ({
      occur,
      node: terms.length === 1 ? word(terms[0]!) : anyOf(terms, 1),
    }));
    const least = operator === 'and' ? 0 : Math.min(count(minimum, 'minimum'), clauses.length);
    return { kind: 'boolean', noCoord: false, boost, minimum: least, clauses };
  }

  #phrase(query: OfKind<'phrase'>): PlanNode {
    const field = this.#textField(query.field);
    const places =
      typeof query.words === 'string'
        ? placesOf(this.#fields.tokens(field, query.words))
        : query.words.flatMap((entry, position) =>
            entry === null ? [] : { position, terms: typeof entry === 'string' ? [entry] : entry },
          );
    if (places.length === 0) return { kind: 'none' };
    const boost = boostOf(query);
    const [first] = places;
    if (places.length === 1 && first!.terms.length === 1)
      return { kind: 'term', field: field.number, boost, term: this.#fields.term(field, first!.terms[0]!) };
    const positions = places.map(({ position, terms }) => ({
      position,
      terms: terms.map((text) => this.#fields.term(field, text)),
    }));
    return { kind: 'phrase', field: field.number, boost, slop: count(query.slop ?? 0, 'slop'), positions };
  }

  #fuzzy(query: OfKind<'fuzzy'>): PlanNode {
    const { term: word, edits = 2, prefixLength = 0, transpositions = true } = query;
    if (edits !== 0 && edits !== 1 && edits !== 2) throw wrong(`edits are 0, 1 or 2, not ${edits}`);
    const matcher = fuzzyMatcher(word, edits, count(prefixLength, 'prefixLength'), transpositions);
    return manyTerms(this.#textField(query.field), matcher, query, 'top');
  }

  #range(query: OfKind<'range'>, asFilter: boolean): PlanNode {
    const field = this.#fields.named(query.field);
    const bounds = boundsOf(query, (value) => this.#fields.term(field, value));
    if (asFilter) return { kind: 'range', field: field.number, ...bounds };
    return manyTerms(field, { type: 'range', ...bounds }, { boost: query.boost }, 'constant');
  }

  #boolean(query: OfKind<'bool'>, inner: (each: Query) => PlanNode): PlanNode {
    const { must = [], should = [], mustNot = [], minimum = 0, coord = true } = query;
    checkClauses(must.length + should.length + mustNot.length);
    const clauses = (queries: readonly Query[], occur: Occur) =>
      queries.map((each) => ({ occur, node: inner(each) }));
    return {
      kind: 'boolean',
      noCoord: !coord,
      boost: boostOf(query),
      minimum: count(minimum, 'minimum'),
      clauses: [
        ...clauses(must, Occur.Must),
        ...clauses(should, Occur.Should),
        ...clauses(mustNot, Occur.MustNot),
      ],
    };
  }

  #functionScore(query: OfKind<'functionScore'>, inner: (each: Query) => PlanNode): PlanNode {
    const { functions, scoreMode = 'multiply', boostMode = 'multiply', maxBoost } = query;
    const [first] = functions;
    return {
      kind: 'functionScore',
      boost: boostOf(query),
      query: inner(query.query),
      single: functions.length === 1 && first?.filter === undefined,
      functions: functions.map((each) => this.#function(each)),
      scoreMode: modeOf(ScoreMode, scoreMode),
      boostMode: modeOf(BoostMode, boostMode),
      maxBoost,
    };
  }

  #function(given: ScoreFunction): FunctionScoreNode['functions'][number] {
    const { filter, weight } = given;
    return {
      function: this.#number(given),
      ...(weight === undefined ? {} : { weight }),
      ...(filter === undefined ? {} : { filter: this.filter(filter) }),
    };
  }

  #number(given: ScoreFunction): FunctionScoreNode['functions'][number]['function'] {
    if (given.script !== undefined) return { type: 'script', script: this.expression(given.script) };
    if (given.field === undefined) return { type: 'one' };
    const { field: name, factor = 1, modifier = 'none', missing } = given;
    const { number } = this.#numbers(name);
    return {
      type: 'fieldValue',
      field: number,
      name,
      factor,
      modifier: modeOf(MODIFIERS, modifier),
      missing,
    };
  }

  /** A field of numbers. */
  #numbers(name: string): { number: number; type: 'long' | 'double' } {
    const { number, definition } = this.#fields.named(name);
    const { type } = definition;
    if (type !== 'long' && type !== 'double') throw wrong(`${name} has no numbers`, name);
    return { number, type };
  }

  /** An expression with what its variables mean. */
  expression(text: string): BoundExpression {
    const expression = readExpression(text);
    const bindings = new Map(variablesOf(expression).map((variable) => [variable, this.#binding(variable)]));
    return { expression, bindings, text };
  }

  #binding(variable: string): Binding {
    if (variable === '_score') return { kind: 'score' };
    const [doc, name, member, ...more] = partsOf(variable);
    const isValue =
      doc?.text === 'doc' && name?.kind === 'string' && member?.text === 'value' && more.length === 0;
    if (!isValue) throw wrong(`an expression has _score and doc['field'].value, not ${variable}`);
    const { number, type } = this.#numbers(name.text);
    return { kind: 'field', field: number, type };
  }

  #span(query: SpanQuery): SpanNode {
    return this.#below(() => this.#spanNode(query));
  }

  #spanNode(query: SpanQuery): SpanNode {
    const boost = boostOf(query);
    switch (query.kind) {
      case 'spanTerm': {
        const field = this.#textField(query.field);
        return { kind: 'spanTerm', field: field.number, boost, term: this.#fields.term(field, query.term) };
      }
      case 'spanNear': {
        const nodes = query.spans.map((each) => this.#span(each));
        return { kind: 'spanNear', boost, slop: count(query.slop, 'slop'), inOrder: query.inOrder, nodes };
      }
      case 'spanOr':
        return { kind: 'spanOr', boost, nodes: query.spans.map((each) => this.#span(each)) };
      case 'spanNot': {
        const [include, exclude] = [this.#span(query.include), this.#span(query.exclude)];
        const [pre, post] = [count(query.before, 'before'), count(query.after, 'after')];
        return { kind: 'spanNot', boost, include, exclude, pre, post };
      }
      case 'spanFirst':
        return { kind: 'spanFirst', boost, node: this.#span(query.span), end: count(query.end, 'end') };
      default:
        throw wrong(`there is no query of the kind ${(query as { kind: unknown }).kind}`);
    }
  }
}

/** What the core takes as a filter alone. */
function isSet({ kind }: PlanNode): boolean {
  return kind === 'keys' || kind === 'terms' || kind === 'exists';
}

function boostOf(query: { boost?: number | undefined } | object): number {
  const boost = 'boost' in query && typeof query.boost === 'number' ? query.boost : 1;
  if (!Number.isFinite(Math.fround(boost))) throw wrong(`a boost must be a finite number, not ${boost}`);
  return boost;
}

function manyTerms(
  { number, definition }: Field,
  matcher: TermMatcher,
  { rewrite, size = TOP_TERMS, boost }: ManyTerms,
  fallback: keyof typeof REWRITES,
): MultiTermNode {
  const ofNumbers = definition.type === 'long' || definition.type === 'double';
  return {
    kind: 'multiTerm',
    field: number,
    boost: boostOf({ boost }),
    rewrite: modeOf(REWRITES, rewrite ?? fallback),
    size: Math.min(count(size, 'size'), MOST_TERMS),
    matcher,
    ...(ofNumbers ? { ofNumbers } : {}),
  };
}

/** The terms at each place, by position. */
function placesOf(
  tokens: readonly { term: string; position: number }[],
): { position: number; terms: string[] }[] {
  const places = new Map<number, { position: number; terms: string[] }>();
  for (const { position, term } of tokens) {
    const place = places.get(position);
    if (place === undefined) places.set(position, { position: position - 1, terms: [term] });
    else place.terms.push(term);
  }
  return [...places.values()];
}

function boundsOf<V>({ gt, gte, lt, lte }: Bounds, term: (value: NonNullable<Bounds['gt']>) => V) {
  if (gt !== undefined && gte !== undefined) throw wrong('a range has gt or gte, not both');
  if (lt !== undefined && lte !== undefined) throw wrong('a range has lt or lte, not both');
  const [from, to] = [gt ?? gte, lt ?? lte];
  return {
    lower: from === undefined ? undefined : term(from),
    upper: to === undefined ? undefined : term(to),
    includeLower: gt === undefined,
    includeUpper: lt === undefined,
  } satisfies { [K in keyof TermRange]: unknown };
}

function modeOf<M extends Readonly<Record<string, number>>>(modes: M, name: keyof M): M[keyof M] {
  if (!Object.hasOwn(modes, name)) throw wrong(`${String(name)} is none of ${Object.keys(modes).join(', ')}`);
  return modes[name];
}

/** A whole number that isn't negative. */
export function count(value: number, name: string): number {
  if (Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff) return value;
  throw wrong(`${name} must be a whole number from 0 to 4294967295, not ${value}`);
}

function keyOf(key: number): number {
  if (Number.isSafeInteger(key) && key > 0) return key;
  throw wrong(`a key is a whole number above 0, not ${key}`);
}

function checkClauses(clauses: number): void {
  if (clauses > MAX_CLAUSES)
    throw new CoreError('clauses', `a query of ${clauses} clauses; it may have ${MAX_CLAUSES}`);
}
