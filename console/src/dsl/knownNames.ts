/** Names that the server knows, for completion: asked for when they are needed, and again after a while. */
import { type Client, encodeNames } from '../api/client';
import { isObject, type JsonObject } from '../api/json';
import { fieldsOf } from '../api/mappingFields';
import type { Known } from './bodyCompletion';
import { loadTables } from './tables';

export interface ServerNames {
  indices: readonly string[];
  aliases: readonly string[];
  types: readonly string[];
}

/** Milliseconds. */
const KEPT = 10_000;

export class KnownNames {
  readonly #client: Client;
  readonly #kept = new Map<string, { at: number; answer: Promise<JsonObject> }>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** The names of indices, and the types of those that a path names. */
  async ofPath(path: string): Promise<ServerNames> {
    const [aliases, mappings] = await Promise.all([this.#get('/_aliases'), this.#mappings(indexIn(path))]);
    const indices = Object.keys(aliases).sort();
    const all = Object.values(aliases).flatMap((each) =>
      isObject(each) && isObject(each.aliases) ? Object.keys(each.aliases) : [],
    );
    return { indices, aliases: [...new Set(all)].sort(), types: typesIn(mappings) };
  }

  /** What the body of a request to a path is completed with. */
  async forBody(path: string): Promise<Known> {
    const index = indexIn(path);
    const [tables, mappings, settings] = await Promise.all([
      loadTables(),
      this.#mappings(index),
      index === '' ? {} : this.#get(`/${encodeNames(index)}/_settings?flat_settings=true`),
    ]);
    return { tables, fields: fieldsOf(mappings), types: typesIn(mappings), analyzers: analyzersIn(settings) };
  }

  /** Of indices; of all of them without a name. */
  #mappings(index: string): Promise<JsonObject> {
    return this.#get(index === '' ? '/_mapping' : `/${encodeNames(index)}/_mapping`);
  }

  /** What isn't there, or may not be seen, knows nothing. */
  #get(path: string): Promise<JsonObject> {
    const known = this.#kept.get(path);
    if (known !== undefined && Date.now() - known.at < KEPT) return known.answer;
    const answer = this.#client.get(path, { quiet: true }).catch(() => ({}));
    this.#kept.set(path, { at: Date.now(), answer });
    return answer;
  }
}

/** The names of indices at the beginning of a path. */
export function indexIn(path: string): string {
  const [first = ''] = path.replace(/^\//, '').split(/[/?]/);
  return first.startsWith('_') && first !== '_all' ? '' : decoded(first);
}

function typesIn(mappings: JsonObject): string[] {
  const names = Object.values(mappings).flatMap((index) =>
    isObject(index) && isObject(index.mappings) ? Object.keys(index.mappings) : [],
  );
  return [...new Set(names)].sort();
}

function analyzersIn(answer: JsonObject): string[] {
  const names = new Set<string>();
  for (const index of Object.values(answer))
    if (isObject(index) && isObject(index.settings))
      for (const key of Object.keys(index.settings)) {
        const name = /^index\.analysis\.analyzer\.([^.]+)\./.exec(key)?.[1];
        if (name !== undefined) names.add(name);
      }
  return [...names].sort();
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
