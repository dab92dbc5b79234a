/** What every part of the query DSL shares: where it compiles for, and how options are read. */

import type { Analyzer } from '../analysis/analyzer.js';
import { ElasticsearchError, ofLimit, queryParsing } from '../errors.js';
import { booleanOf, isCompound, isObject, type JsonObject, strictFloatOf, textOf } from '../json/values.js';
import type { AllBoost } from '../mapping/coreFields.js';
import { type LeafField, TYPE, UNKNOWN_FIELD } from '../mapping/field.js';
import type { MappingModel } from '../mapping/model.js';
import type { PlanNode } from '../plan/nodes.js';
import { MAX_CLAUSES } from '../plan/plan.js';
import { print } from '../plan/print.js';
import type { Groovy } from '../script/groovy.js';
import type { InnerDefinition } from './joining/innerDefinition.js';
import type { Reach } from './reach.js';

/** The error of an option that stands where one query or filter alone may. */
export type UnexpectedToken = () => ElasticsearchError;

/** One compilation. */
export interface Dsl {
  readonly index: string;
  readonly model: MappingModel;
  /** Epoch milliseconds that `now` stands for. */
  readonly now: number;
  /** Counts terms that the query comes to, and fields that are asked for; throws where all of them take too much memory. */
  count(terms: number): void;
  /** Whether fields that the mapping doesn't have are refused. */
  readonly strictFields: boolean;
  /**
   * Where there is no search to compile for, as for queries of the percolator and filters of aliases: takes what 1.7 finds wrong
   * only later, with the dates of ranges. What 1.7 asks a search for fails then.
   */
  readonly lateErrors: ElasticsearchError[] | undefined;
  /** The field of words that name none. */
  readonly defaultField: string;
  /** Whether query strings overlook texts that can't be those of a field, unless they say so themselves. */
  readonly lenientStrings: boolean;
  /** The types of documents searched by id when the query names none. */
  readonly types: readonly string[];
  /** The types searched, whose fields names mean; none: those of all types. */
  readonly searchedTypes: readonly string[];
  /** Compiles a query, not yet rewritten; one that comes to nothing matches nothing. */
  query(json: unknown): PlanNode;
  /**
   * The same, but undefined if it comes to nothing, as a text of stop words alone may: it is left out then.
   * `stray` is what the query around it says of an option beside it.
   */
  optionalQuery(json: unknown, unexpectedToken?: UnexpectedToken): PlanNode | undefined;
  /** Compiles a filter; undefined for `{}`, which is left out. */
  filter(json: unknown, unexpectedToken?: UnexpectedToken): PlanNode | undefined;
  /** Compiles what searches documents of these types. */
  within<T>(types: readonly string[], compile: () => T): T;
  /** Undefined if there is none of that name. */
  analyzer(name: string): Analyzer | undefined;
  /** The query can be understood, but not run: its search fails with this error. */
  refuse(error: ElasticsearchError): void;
  /** Refuses what tells of more than the caller may see; `reach` undefined: nothing is said of it. */
  checkReach(what: string, reach: Reach | undefined): void;
  /** The same; and while it is read, documents and stored texts are there for it as its reach says. */
  reaching<T>(what: string, reach: Reach | undefined, read: () => T): T;
  /** The source of a document, undefined if there is none, or what is being read doesn't reach documents by name. */
  source(index: string, type: string, id: string): unknown;
  /** The text of a stored script or template, undefined if there is none, or what is being read doesn't reach those. */
  stored(language: string, id: string): string | undefined;
  /** Undefined where no script in Groovy may run. */
  readonly groovy: Groovy | undefined;
  /** The path of the nested field that queries stand in; undefined outside. */
  readonly nestedPath: string | undefined;
  /** Compiles what stands in a nested field. */
  inside<T>(path: string, compile: () => T): T;
  /** Inner hits that a query asks for. */
  showInner(definition: InnerDefinition): void;
  /** Whether hits stand by themselves where they are sorted: as parts of others, or in a bucket. */
  readonly sortsOwnValues: boolean;
  /** Whether a name, which may be an alias or a pattern, stands for the index. */
  isIndex(name: string): boolean;
}

/** Compiles the body of one kind of query; undefined if it comes to nothing. */
export type QueryCompiler = (body: JsonObject, dsl: Dsl, name: string) => PlanNode | undefined;
/** Compiles the body of one kind of filter. */
export type FilterCompiler = (body: unknown, dsl: Dsl, name: string) => PlanNode | undefined;

/** A kind of query or filter: what it is called in JSON, how it is read, and what it may tell of. */
interface Kind<C> {
  readonly names: readonly string[];
  readonly read: C;
  readonly reach: Reach;
  /** The error of `[]` in place of its options, where 1.7 doesn't take that for none ({@link emptyOptions.ts}). */
  readonly empty?: (index: string) => ElasticsearchError;
}
export interface QueryKind extends Kind<QueryCompiler> {
  /** Its options stand below the name of a field. */
  readonly byField?: true;
  /** Whether 1.7 still knows the `_name` of what it has become. Default: it does. */
  readonly keepsName?: (node: PlanNode) => boolean;
}
export type FilterKind = Kind<FilterCompiler>;

/** What every document matches. */
export function matchAll(boost = 1): PlanNode {
  return { kind: 'all', boost };
}

export const NONE: PlanNode = { kind: 'none' };

/** A query with another boost. */
export function withBoost(node: PlanNode, boost: number): PlanNode {
  return 'boost' in node ? { ...node, boost } : node;
}

/** A constant score over a filter. */
export function constant(filter: PlanNode, boost: number): PlanNode {
  return { kind: 'constant', boost, node: filter };
}

/** 400: a query or filter does not support an option. */
export function unsupported(dsl: Dsl, what: string, option: string, kind = 'query'): ElasticsearchError {
  return queryParsing(dsl.index, `[${what}] ${kind} does not support [${option}]`);
}

/** 400: more clauses than a boolean query may have. */
export function checkClauses(count: number): void {
  if (count <= MAX_CLAUSES) return;
  const detail = `maxClauseCount is set to ${MAX_CLAUSES}`;
  throw new ElasticsearchError('TooManyClauses', detail, { status: 400 });
}

/** Characters of the texts of queries: those that become clauses have far fewer. */
const MAX_TEXT = 256 * 1024;

/** 400: a text of a query that is longer than it may be. */
export function checkText(dsl: Dsl, text: string | undefined): void {
  if (text === undefined || text.length <= MAX_TEXT) return;
  throw ofLimit(
    queryParsing(
      dsl.index,
      `the text of a query may have at most ${MAX_TEXT} characters, this one has ${text.length}`,
    ),
  );
}

/** A query text is looked for in so many fields at most. */
const MAX_FIELDS = 4096;

/** 400: a query that asks for more fields than it may. */
export function checkFields(dsl: Dsl, count: number): void {
  if (count <= MAX_FIELDS) return;
  throw ofLimit(
    queryParsing(dsl.index, `a query may ask for at most ${MAX_FIELDS} fields, this one asks for ${count}`),
  );
}

/** Options that name or cache a filter and change nothing. */
export const IGNORED: ReadonlySet<string> = new Set(['_name', '_cache', '_cache_key', '_cacheKey']);
/** Options that cache a filter. */
export const CACHED: ReadonlySet<string> = new Set(['_cache', '_cache_key', '_cacheKey']);
/** The option that names a query or filter. */
export const NAMED: ReadonlySet<string> = new Set(['_name']);
/** Of what can't be named. */
export const NOTHING: ReadonlySet<string> = new Set();

/** How the parser of a query or filter goes through its options. */
export interface Reading {
  /** Options that change nothing; `_name` unless others are given. */
  ignored?: ReadonlySet<string>;
  /** Whether it looks for lists, and so refuses those that it doesn't know. Most parsers see only the scalars in them. */
  knowsLists?: boolean;
}

const SCALARS: Reading = {};
const LISTS: Reading = { knowsLists: true };

/** The options of a query, each taken once. */
export class Options {
  readonly #dsl: Dsl;
  readonly #what: string;
  readonly #kind: string;
  readonly #body: JsonObject;
  readonly #knowsLists: boolean;
  /** The names that have not been taken, in order. */
  readonly #rest: string[];

  constructor(
    dsl: Dsl,
    what: string,
    body: JsonObject,
    kind = 'query',
    { ignored = NAMED, knowsLists = false }: Reading = SCALARS,
  ) {
    this.#dsl = dsl;
    this.#what = what;
    this.#kind = kind;
    this.#body = body;
    this.#knowsLists = knowsLists;
    this.#rest = namesBeside(body, ignored);
  }

  /** The first of the names that has not been taken. A loop: most options aren't given, and closures took 6 KB of a large bool. */
  #given(names: readonly string[]): string | undefined {
    for (const name of this.#rest) if (names.includes(name)) return name;
    return undefined;
  }

  /** The option under these names; where several are given the last one counts, but for those that are null. */
  take(...names: string[]): unknown {
    return this.#take(names);
  }

  #take(names: readonly string[]): unknown {
    let result: unknown;
    for (let at = 0; at < this.#rest.length; ) {
      const name = this.#rest[at]!;
      if (!names.includes(name)) {
        at++;
        continue;
      }
      result = this.#body[name] ?? result ?? null;
      this.#rest.splice(at, 1);
    }
    return result;
  }

  /** A scalar as the parser gives it. */
  scalar(...names: string[]): unknown {
    return this.#scalar(names);
  }

  #scalar(names: readonly string[]): unknown {
    if (this.#rest.length === 0) return undefined;
    const given = this.#given(names);
    if (given === undefined) return undefined;
    const value = this.#take(names);
    if (!isCompound(value)) return value ?? undefined;
    const inside = this.#knowsLists ? undefined : valuesIn(value);
    if (inside === undefined || inside.some(isCompound)) throw this.unsupported(given);
    return inside.at(-1);
  }

  /** A value of parsers that take whatever comes: of a list its bracket, of null none. */
  bytes(...names: string[]): unknown {
    const given = this.#given(names);
    if (given === undefined) return undefined;
    const value = this.#take(names);
    if (isObject(value)) throw this.unsupported(Object.keys(value)[0] ?? given);
    return Array.isArray(value) ? ']' : (value ?? undefined);
  }

  /** The same as a text, that of null too. */
  tokenText(...names: string[]): string | undefined {
    return this.#given(names) === undefined ? undefined : (textOf(this.bytes(...names)) ?? 'null');
  }

  /** An object; null is none, and of a list the last one counts. */
  object(name: string): JsonObject | undefined {
    const value = this.take(name);
    if (value === undefined || value === null) return undefined;
    const inside = valuesIn(value) ?? [value];
    if (!inside.every(isObject) || (this.#knowsLists && Array.isArray(value))) throw this.unsupported(name);
    return inside.at(-1) as JsonObject | undefined;
  }

  text(...names: string[]): string | undefined {
    const value = this.#scalar(names);
    return value === undefined ? undefined : String(value);
  }

  number(fallback: number, ...names: string[]): number {
    const value = this.#scalar(names);
    return value === undefined ? fallback : strictFloatOf(value);
  }

  boost(): number {
    return this.number(1, 'boost');
  }

  flag(fallback: boolean, ...names: string[]): boolean {
    const value = this.#scalar(names);
    return value === undefined ? fallback : booleanOf(value);
  }

  /** What has not been taken, in order. */
  rest(): [string, unknown][] {
    return this.#rest.map((name) => [name, this.#body[name]]);
  }

  unsupported(option: string): ElasticsearchError {
    return unsupported(this.#dsl, this.#what, option, this.#kind);
  }

  /** Refuses what nobody took; what is null is read over. */
  end(): void {
    for (const name of this.#rest) {
      const value = this.#body[name];
      if (value === null || (!this.#knowsLists && valuesIn(value)?.length === 0)) continue;
      throw this.unsupported(name);
    }
  }
}

/** What stands in a list and the lists in it, but for nulls; undefined of what is no list. */
function valuesIn(value: unknown): unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((each): unknown[] => valuesIn(each) ?? (each === null ? [] : [each]));
}

/**
 * The queries or filters of a list, lists in it taken apart. Of what is neither, 1.7 reads over one value ahead of each of them.
 */
export function listed(given: unknown, kind: 'query' | 'filter', dsl: Dsl): unknown[] {
  if (!Array.isArray(given)) return [given];
  return given.flatMap((each, i): unknown[] => {
    if (isObject(each)) return [each];
    if (Array.isArray(each) && isObject(each[0])) return listed(each, kind, dsl);
    if (!Array.isArray(each) && isObject(given[i + 1])) return [];
    throw notStarted(kind, dsl);
  });
}

/** The one field of a query such as `{"match": {"field": …}}`, and the options beside it. */
export function onlyField(dsl: Dsl, what: string, body: JsonObject, missing: string): [string, unknown] {
  const [field, second] = Object.keys(body);
  if (field === undefined) throw queryParsing(dsl.index, missing);
  if (isObject(body[field])) return [field, body[field]];
  if (second !== undefined || Array.isArray(body[field]))
    throw queryParsing(
      dsl.index,
      `[${what}] query parsed in simplified form, with direct field name, but included more options than just the field name, possibly use its 'options' form, with 'query' element?`,
    );
  return [field, body[field]];
}

/** The names in a body but for those that count for nothing. */
function namesBeside(body: JsonObject, ignored: ReadonlySet<string>): string[] {
  const names = Object.keys(body);
  for (const name of names) if (ignored.has(name)) return names.filter((each) => !ignored.has(each));
  return names;
}

/** The options under a field; a scalar is short for `{[key]: scalar}`. */
export function fieldOptions(
  dsl: Dsl,
  what: string,
  value: unknown,
  key: string,
  knowsLists = false,
): Options {
  return new Options(
    dsl,
    what,
    isObject(value) ? value : { [key]: value },
    'query',
    knowsLists ? LISTS : SCALARS,
  );
}

/** What a parser that doesn't look at what stands there takes for a value: of a list its bracket, of null its name. */
export function tokenText(given: unknown): unknown {
  if (Array.isArray(given)) return '[';
  return given === null ? 'null' : given;
}

/** A field that a query names, as the core knows it. */
export interface ResolvedField {
  name: string;
  /** Undefined where the mapping has no such field. */
  field: LeafField | undefined;
  number: number;
  /** The type that the name began with. */
  type: string | undefined;
  /** Of `_all`: the boosts that its words may have; undefined where they are words like any others. */
  boosts?: readonly AllBoost[] | undefined;
}

/** Finds a field; its `name` is the full one then. */
export function resolve(dsl: Dsl, name: string): ResolvedField {
  dsl.count(1);
  const found = dsl.model.find(name, dsl.searchedTypes);
  if (found === undefined && dsl.strictFields)
    throw queryParsing(
      dsl.index,
      `Strict field resolution and no field mapping can be found for the field with name [${name}]`,
    );
  // The types that are searched may lack a text that others have, whose words weigh all the same.
  if (found === undefined)
    return { name, field: undefined, number: dsl.model.textNamed(name), type: undefined };
  const { field, type } = found;
  return {
    name: field.fullName,
    field,
    number: field.number < 0 || field.hasOnlyDocValues ? UNKNOWN_FIELD : field.number,
    type,
    ...(field.fullName === '_all' ? { boosts: dsl.model.searchedBoosts(dsl.searchedTypes) } : {}),
  };
}

/** The node, which prints as this text behind the name of its field. */
export function onField<N extends PlanNode>({ name }: ResolvedField, node: N, text: () => string): N {
  return { ...node, text: () => `${name}:${text()}` };
}

/** The node, which prints so only where it has no name of its own: no shard knows the field. */
export function onUnknownField<N extends PlanNode>(resolved: ResolvedField, node: N, text: () => string): N {
  return resolved.number === UNKNOWN_FIELD ? onField(resolved, node, text) : node;
}

/** A query on a field whose name began with a type: only documents of that type. */
export function ofType(resolved: ResolvedField, query: PlanNode): PlanNode {
  if (resolved.type === undefined) return query;
  return { kind: 'filtered', boost: 1, query, filter: cached(typeNode([resolved.type])) };
}

/** A node as a filter, which prints like that. */
export function asFilter<N extends PlanNode>(node: N, text: () => string): N {
  return { ...node, text, cached: undefined };
}

/** A node as it prints. */
export function show(dsl: Dsl, node: PlanNode): string {
  return print(
    node,
    dsl.model.fieldDefinitions().map(({ name }) => name),
  );
}

/** A filter that 1.7 caches; it prints so. */
export function cached(node: PlanNode): PlanNode {
  return { ...node, cached: true };
}

const utf8 = new TextEncoder();

/** Documents of these types. */
export function typeNode(types: readonly string[]): PlanNode {
  return { kind: 'terms', field: TYPE, terms: types.map((type) => utf8.encode(type)) };
}

/** 400: what should be a query or filter is none. */
export function notStarted(kind: 'query' | 'filter', dsl: Dsl): ElasticsearchError {
  return queryParsing(dsl.index, `[_na] ${kind} malformed, must start with start_object`);
}

/** What is said of an option beside a query or filter under a name, or beside one in a list there. */
export function unexpectedTokenIn(
  given: unknown,
  kind: 'query' | 'filter',
  options: Options,
  name: string,
  dsl: Dsl,
): UnexpectedToken {
  return Array.isArray(given) ? () => notStarted(kind, dsl) : () => options.unsupported(name);
}
