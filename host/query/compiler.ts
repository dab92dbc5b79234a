/** The recursion through queries and filters. */

import type { Analyzer } from '../analysis/analyzer.js';
import type { AnalyzerRegistry } from '../analysis/registry.js';
import { hashOrder } from '../compat17/javaHash.js';
import { type ElasticsearchError, ofLimit, parseFailure, queryParsing } from '../errors.js';
import { tokenOf } from '../json/jsonTokens.js';
import { booleanOf, isCompound, isObject, type JsonObject, textOf } from '../json/values.js';
import type { MappingModel } from '../mapping/model.js';
import type { PlanNode } from '../plan/nodes.js';
import { MAX_DEPTH } from '../plan/plan.js';
import type { Groovy } from '../script/groovy.js';
import { andOrFilter } from './compound/andOrNot.js';
import { type Dsl, NONE, type UnexpectedToken } from './context.js';
import { filterKind, queryKind } from './frequentKinds.js';
import type { InnerDefinition } from './joining/innerDefinition.js';
import { type Confined, checkReach, type Reach } from './reach.js';

/** What a query is compiled for. */
export interface QueryContext {
  /** The name of the index, for error texts. */
  index: string;
  model: MappingModel;
  registry: AnalyzerRegistry;
  /** Epoch milliseconds that `now` stands for. */
  now(): number;
  /** Whether fields that the mapping doesn't have are refused. */
  strictFields?: boolean | undefined;
  /** {@link Dsl.lateErrors}. */
  lateErrors?: ElasticsearchError[] | undefined;
  /** The field of words that name none; `_all` without it. */
  defaultField?: string | undefined;
  /** Whether query strings overlook texts that can't be those of a field, unless they say so themselves. */
  lenientStrings?: boolean | undefined;
  /** Whether hits are parts of others, or in a bucket: they are sorted by values of their own. */
  sortsOwnValues?: boolean | undefined;
  /** The types of the URL. */
  types?: readonly string[] | undefined;
  /** Whether a name stands for the index; without it, whether it is the index's own. */
  isIndex?: ((name: string) => boolean) | undefined;
  /** The source of a document, parsed; undefined if there is none. */
  source?: ((index: string, type: string, id: string) => unknown) | undefined;
  /** The text of a stored script or template; undefined if there is none. */
  stored?: ((language: string, id: string) => string | undefined) | undefined;
  groovy?: Groovy | undefined;
  confined?: Confined;
  /** Refuses that what a query is compiled to takes so many bytes. */
  admit?: ((bytes: number) => void) | undefined;
}

/** What a term of a query takes in memory, about, and after how many of them it is asked whether there is room for more. */
const TERM_BYTES = 600;
const TERMS_BETWEEN = 4096;

/** A query or filter with a name, by which hits tell that they match it. */
export interface Named {
  name: string;
  node: PlanNode;
}

/** The parts of a search whose names hits tell. */
type NamedPart = 'query' | 'filter';

const NO_INNER: ReadonlyMap<string, InnerDefinition> = new Map();

/** Compiles queries and filters of one request. */
export class Compiler implements Dsl {
  readonly index: string;
  readonly model: MappingModel;
  readonly #context: QueryContext;
  /** The named queries and filters of the query, and of the filter of what it finds. */
  readonly #named: Record<NamedPart, Map<string, PlanNode> | undefined> = {
    query: undefined,
    filter: undefined,
  };
  /** Where names count that are met now. */
  #naming: NamedPart | undefined;
  #inner: Map<string, InnerDefinition> | undefined;
  #now: number | undefined;
  #refusal: ElasticsearchError | undefined;
  /** Terms and fields that queries have come to so far, and at how many it is asked next. */
  #terms = 0;
  #asked = TERMS_BETWEEN;
  #depth = 0;
  #nestedPath: string | undefined;
  /** The types of the query being compiled, where they are not those of the URL. */
  #types: readonly string[] | undefined;
  #confined: Confined;
  /** How far what is being read reaches; undefined where nothing says so. */
  #reach: Reach | undefined;

  constructor(context: QueryContext) {
    this.#context = context;
    this.#confined = context.confined;
    this.index = context.index;
    this.model = context.model;
  }

  get now(): number {
    this.#now ??= this.#context.now();
    return this.#now;
  }

  within<T>(types: readonly string[], compile: () => T): T {
    const outer = this.#types;
    this.#types = types;
    try {
      return compile();
    } finally {
      this.#types = outer;
    }
  }

  get strictFields(): boolean {
    return this.#context.strictFields ?? false;
  }

  get lateErrors(): ElasticsearchError[] | undefined {
    return this.#context.lateErrors;
  }

  get defaultField(): string {
    return this.#context.defaultField ?? '_all';
  }

  get lenientStrings(): boolean {
    return this.#context.lenientStrings ?? false;
  }

  get sortsOwnValues(): boolean {
    return this.#context.sortsOwnValues ?? false;
  }

  /** What is shown of the hits' parts and relatives, by name. */
  get inner(): ReadonlyMap<string, InnerDefinition> {
    return this.#inner ?? NO_INNER;
  }

  set inner(inner: Map<string, InnerDefinition>) {
    this.#inner = inner;
  }

  showInner(definition: InnerDefinition): void {
    this.#inner ??= new Map();
    this.#inner.set(definition.name, definition);
  }

  get types(): readonly string[] {
    const types = this.searchedTypes;
    return types.length > 0 ? types : this.model.typeNames();
  }

  get searchedTypes(): readonly string[] {
    return this.#types ?? this.#context.types ?? [];
  }

  analyzer(name: string): Analyzer | undefined {
    return this.#context.registry.analyzer(name);
  }

  count(terms: number): void {
    this.#terms += terms;
    if (this.#terms < this.#asked) return;
    this.#asked = this.#terms + TERMS_BETWEEN;
    this.#context.admit?.(TERM_BYTES * this.#terms);
  }

  isIndex(name: string): boolean {
    return this.#context.isIndex?.(name) ?? name === this.index;
  }

  get nestedPath(): string | undefined {
    return this.#nestedPath;
  }

  inside<T>(path: string, compile: () => T): T {
    const around = this.#nestedPath;
    this.#nestedPath = path;
    try {
      return compile();
    } finally {
      this.#nestedPath = around;
    }
  }

  /** Why the query can't be run, if it can't. */
  get refusal(): ElasticsearchError | undefined {
    return this.#refusal;
  }

  refuse(error: ElasticsearchError): void {
    this.#refusal ??= error;
  }

  checkReach(what: string, reach: Reach | undefined): void {
    checkReach(what, reach, this.#confined);
  }

  reaching<T>(what: string, reach: Reach | undefined, read: () => T): T {
    this.checkReach(what, reach);
    const outer = this.#reach;
    this.#reach = reach;
    try {
      return read();
    } finally {
      this.#reach = outer;
    }
  }

  /** The filter of an alias, which may reach what those who search by it may not: it is not theirs. */
  aliasFilter(json: unknown): PlanNode | undefined {
    const confined = this.#confined;
    this.#confined = undefined;
    try {
      // An alias knows of no types.
      return this.within([], () => this.filter(json));
    } finally {
      this.#confined = confined;
    }
  }

  source(index: string, type: string, id: string): unknown {
    return this.#reach === 'named' ? this.#context.source?.(index, type, id) : undefined;
  }

  stored(language: string, id: string): string | undefined {
    return this.#reach === 'scripts' ? this.#context.stored?.(language, id) : undefined;
  }

  get groovy(): Groovy | undefined {
    return this.#context.groovy;
  }

  get hasNamed(): boolean {
    return this.#named.query !== undefined || this.#named.filter !== undefined;
  }

  /** The named queries and filters met so far, in 1.7's order. */
  named(): Named[] {
    return [this.#named.query, this.#named.filter].flatMap((nodes) =>
      nodes === undefined
        ? []
        : hashOrder([...nodes.keys()]).map((name) => ({ name, node: nodes.get(name)! })),
    );
  }

  /** Compiles a part of the search whose names hits tell; those of other parts count for nothing. */
  naming<T>(part: NamedPart, compile: () => T): T {
    this.#named[part] = undefined;
    this.#naming = part;
    try {
      return compile();
    } finally {
      this.#naming = undefined;
    }
  }

  #name(label: string, node: PlanNode): void {
    if (this.#naming === undefined) return;
    const named = this.#named[this.#naming] ?? new Map<string, PlanNode>();
    this.#named[this.#naming] = named;
    named.set(label, node);
  }

  query(json: unknown): PlanNode {
    return this.optionalQuery(json) ?? NONE;
  }

  optionalQuery(json: unknown, unexpectedToken?: UnexpectedToken): PlanNode | undefined {
    if (!isObject(json))
      throw queryParsing(this.index, '[_na] query malformed, must start with start_object');
    const [name, second] = Object.keys(json);
    const given = name === undefined ? undefined : json[name];
    const empty = Array.isArray(given) && given.length === 0;
    const body = empty ? {} : given;
    if (name === undefined || !isObject(body)) {
      throw queryParsing(this.index, '[_na] query malformed, no field after start_object');
    }
    const kind = queryKind(name);
    if (kind === undefined) {
      throw queryParsing(this.index, `No query registered for [${name}]`);
    }
    const wrong = empty ? kind.empty?.(this.index) : undefined;
    if (wrong !== undefined) throw wrong;
    const node = this.#read(kind, body, name);
    if (kind.byField) this.#pastField(body, unexpectedToken);
    if (second !== undefined) throw this.#beside(second, json[second], 'query', unexpectedToken);
    const label = kind.byField ? nameOf(Object.values(body)[0]) : nameOf(body);
    if (label !== undefined && node !== undefined && kind.keepsName?.(node) !== false)
      this.#name(label, node);
    return node;
  }

  /** 400: what stands behind the one field of a query, or in the list that its value is taken out of. */
  #pastField(body: JsonObject, unexpectedToken?: UnexpectedToken): void {
    const names = Object.keys(body);
    if (names.length === 1 && !Array.isArray(body[names[0]!])) return;
    const [[field = '', value] = [], next] = Object.entries(body);
    if (Array.isArray(value) && value.length > 0)
      throw parseFailure(`Expected field name but got END_ARRAY "${field}"`);
    if (next !== undefined) throw this.#beside(next[0], next[1], 'query', unexpectedToken);
  }

  filter(json: unknown, unexpectedToken?: UnexpectedToken): PlanNode | undefined {
    // A list of filters is a conjunction of them; an empty one is no filter.
    if (Array.isArray(json))
      return json.length === 0 ? undefined : this.#read(andOrFilter, json as unknown[], 'and', 'found');
    if (!isObject(json))
      throw queryParsing(this.index, '[_na] filter malformed, must start with start_object');
    const [name, second] = Object.keys(json);
    if (name === undefined) return undefined;
    const body = json[name];
    if (!isCompound(body)) {
      throw queryParsing(this.index, '[_na] filter malformed, no field after start_object');
    }
    const kind = filterKind(name);
    if (kind === undefined) {
      throw queryParsing(this.index, `No filter registered for [${name}]`);
    }
    const wrong = Array.isArray(body) && body.length === 0 ? kind.empty?.(this.index) : undefined;
    if (wrong !== undefined) throw wrong;
    let node = this.#read(kind, body, name);
    if (second !== undefined) throw this.#beside(second, json[second], 'filter', unexpectedToken);
    if (node === undefined || !isObject(body)) return node;
    if (body._cache !== undefined && body._cache !== null && !isCompound(body._cache)) {
      node = { ...node, cached: booleanOf(body._cache) };
    }
    const label = nameOf(body);
    if (label !== undefined) this.#name(label, node);
    return node;
  }

  /** 400: a second query beside one. Inside another, 1.7 takes the second's body for the query that comes next. */
  #beside(
    name: string,
    body: unknown,
    kind: 'query' | 'filter',
    unexpectedToken?: UnexpectedToken,
  ): ElasticsearchError {
    if (unexpectedToken !== undefined && !isCompound(body)) return unexpectedToken();
    const [first] = isObject(body) && this.#depth > 0 ? Object.entries(body) : [];
    if (first === undefined) return unexpected(name, body);
    const [taken, inside] = first;
    if (!isCompound(inside))
      return queryParsing(this.index, `[_na] ${kind} malformed, no field after start_object`);
    const known = kind === 'query' ? queryKind(taken) : filterKind(taken);
    if (known === undefined) return queryParsing(this.index, `No ${kind} registered for [${taken}]`);
    return unexpected(name, body);
  }

  /** One level deeper: no closures, of which each clause of a query would have two. */
  #read<B, T>(kind: Readable<B, T>, body: B, name: string, reach = kind.reach): T {
    if (this.#depth >= MAX_DEPTH) {
      throw ofLimit(queryParsing(this.index, `query is nested more than ${MAX_DEPTH} levels deep`));
    }
    this.checkReach(name, reach);
    const outer = this.#reach;
    this.#reach = reach;
    this.#depth++;
    try {
      return kind.read(body, this, name);
    } finally {
      this.#depth--;
      this.#reach = outer;
    }
  }
}

/** A kind of query or filter, as far as reading one goes. */
interface Readable<B, T> {
  read(body: B, compiler: Compiler, name: string): T;
  readonly reach?: Reach | undefined;
}

/** The name of a query or filter. */
function nameOf(body: unknown): string | undefined {
  return isObject(body) ? textOf(body._name) : undefined;
}

/** 400: a second query where one is expected, in the words of 1.7's JSON parser. */
export function unexpected(name: string, value: unknown) {
  return parseFailure(`Expected field name but got ${tokenOf(value)} "${name}"`);
}
