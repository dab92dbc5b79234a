/** The indices of a cluster and their aliases, by name. */
import { ElasticsearchError, indexMissing, typeMissing } from '../errors.js';
import { type NameOptions, type NameTable, resolveNames } from './names.js';
import { wildcard } from '../text/wildcard.js';
import type { OpenIndex } from './openIndex.js';
import { type SearchTarget, searchTargets } from './targets.js';

/** Finds indices by names and expressions. */
export class IndexTable {
  readonly #indices = new Map<string, OpenIndex>();
  /** Alias → the names of its indices. */
  #aliases = new Map<string, string[]>();

  /** All indices, sorted by name. */
  all(): OpenIndex[] {
    return [...this.#indices.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): OpenIndex | undefined {
    return this.#indices.get(name);
  }

  /** The index of that name; 404 without it. */
  index(name: string): OpenIndex {
    const index = this.#indices.get(name);
    if (index === undefined) throw indexMissing(name);
    return index;
  }

  /** Every name there is. */
  get names(): NameTable {
    return { indices: this.#indices, aliases: this.#aliases };
  }

  /** The indices behind an alias; undefined where there is none. */
  behind(alias: string): readonly string[] | undefined {
    return this.#aliases.get(alias);
  }

  /** The indices that an expression means, sorted by name. */
  resolve(expression: string | undefined, options?: NameOptions): OpenIndex[] {
    return resolveNames(this.names, expression, options).map((name) => this.index(name));
  }

  /** What a search of an expression searches. */
  targets(
    expression: string | undefined,
    routing: readonly string[] | undefined,
    options: NameOptions,
  ): SearchTarget[] {
    return searchTargets(this.names, (name) => this.index(name), expression, routing, options);
  }

  /** The types of an index that patterns match; 404 if none of any index does. */
  typesOf(indices: readonly OpenIndex[], patterns: readonly string[]): [OpenIndex, string[]][] {
    const tests = patterns.map((pattern) => (pattern === '_all' ? () => true : wildcard(pattern)));
    const found = indices.map((index): [OpenIndex, string[]] => [
      index,
      index.model.typeNames().filter((type) => tests.some((test) => test(type))),
    ]);
    if (found.every(([, types]) => types.length === 0)) {
      const error = typeMissing('_all', patterns.join(', '));
      throw new ElasticsearchError(error.exception, `${error.detail}: No index has the type.`);
    }
    return found;
  }

  /** An index is there, or another in its place. */
  protected enter(index: OpenIndex): void {
    this.#indices.set(index.name, index);
  }

  /** It is not any more. */
  protected drop(index: OpenIndex): void {
    this.#indices.delete(index.name);
  }

  /** The aliases are read anew from the indices. */
  protected indexAliases(): void {
    const table = new Map<string, string[]>();
    for (const index of this.all()) {
      for (const alias of Object.keys(index.aliases)) {
        const behind = table.get(alias);
        if (behind === undefined) table.set(alias, [index.name]);
        else behind.push(index.name);
      }
    }
    this.#aliases = table;
  }
}
