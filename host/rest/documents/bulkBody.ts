/** The body of a bulk request, line by line from the bytes as they came. */
import { CLOSE_OBJECT, OPEN_OBJECT, QUOTE } from '../../json/jsonSyntax.js';
import { ElasticsearchError, javaIllegalArgument, toElasticsearchError } from '../../errors.js';
import { parseLax } from '../../json/laxJson.js';
import { checkTtl, parseVersionType } from '../../shard/operation.js';
import type { IndexedOperation } from '../../engine/writing.js';
import { parseTime } from '../../time/durations.js';
import { BAILOUT, JsonBytes } from '../../json/jsonBytes.js';
import { isCompound, isObject, strictIntOf } from '../../json/values.js';
import { bodyNumber, bodyVersion } from './versions.js';

/** One action with its source; with an index, a type and an id it is an operation. */
export interface BulkAction extends Omit<IndexedOperation, 'index' | 'type' | 'id'> {
  /** What the answer calls it. */
  name: string;
  kind: 'index' | 'delete' | 'update';
  index: string | undefined;
  type: string | undefined;
  id: string | undefined;
  /** Of its source; that of an update is let go of once it is read. */
  bytes: number;
  /** Of an update: how often it is tried again. */
  retries: number;
}

/** What the path and the parameters give to every action. */
export interface BulkDefaults {
  index: string | undefined;
  type: string | undefined;
  routing: string | undefined;
}

const LINE_FEED = 10;

const utf8 = new TextDecoder();
const [INDEX, CREATE, ID, TYPE, INDEX_NAME] = ['index', 'create', '_id', '_type', '_index'].map((key) =>
  new TextEncoder().encode(key),
) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
const [ITS_ID, ITS_TYPE, ITS_INDEX] = [1, 2, 4];

/**
 * Reads a body action by action; what a last line without a line feed asks for is ignored, as in 1.7. Nothing of the body is
 * copied: sources are views of it.
 */
export class BulkReader {
  readonly #body: Uint8Array;
  readonly #defaults: BulkDefaults;
  readonly #plain = new PlainActions();
  #at = 0;
  #line = 0;

  constructor(body: Uint8Array, defaults: BulkDefaults) {
    this.#body = body;
    this.#defaults = defaults;
  }

  /** The next action; undefined after the last. Throws at a line that is none. */
  next(): BulkAction | undefined {
    for (;;) {
      const offset = this.#at;
      const end = this.#nextLine();
      if (end < 0) return undefined;
      let action = this.#plain.read(this.#body, offset, end, this.#defaults);
      let name = action?.name;
      if (action === undefined) {
        const text = utf8.decode(this.#body.subarray(offset, end));
        if (text.trim() === '') continue;
        const line = this.#line;
        let meta: unknown;
        [name, meta] = actionOf(text, line, offset);
        action = readMeta(name, meta, this.#defaults, line);
      }
      if (name === 'delete') return action;
      const from = this.#at;
      const to = this.#nextLine();
      if (to < 0) return undefined;
      if (name !== 'index' && name !== 'create' && name !== 'update') continue;
      action.source = this.#body.subarray(from, to);
      action.bytes = to - from;
      return action;
    }
  }

  /** Reads a line; returns where it ends, or -1 if it doesn't. */
  #nextLine(): number {
    const end = this.#body.indexOf(LINE_FEED, this.#at);
    if (end < 0) return end;
    this.#at = end + 1;
    this.#line++;
    return end;
  }
}

/** The name of a line's action and what it holds. */
function actionOf(text: string, line: number, offset: number): [string, unknown] {
  let value: unknown;
  try {
    value = parseLax(text, offset);
  } catch (e) {
    const error = toElasticsearchError(e);
    throw new ElasticsearchError(error.exception, error.detail, { status: 500 });
  }
  if (Array.isArray(value)) throw malformed(line, value.length === 1 ? 'END_ARRAY' : tokenOf(value[1]));
  if (!isCompound(value)) throw malformed(line, 'null');
  for (const name in value) {
    const meta = (value as Record<string, unknown>)[name];
    if (!isObject(meta)) throw malformed(line, tokenOf(meta));
    return [name, meta];
  }
  throw malformed(line, 'null');
}

/** Actions of the commonest form: they index, and give their index, type and id as texts, or none of these. */
class PlainActions {
  readonly #json = new JsonBytes();

  /** The action of a line of a body; undefined where it must be looked at. */
  read(body: Uint8Array, from: number, to: number, defaults: BulkDefaults): BulkAction | undefined {
    if (body[from] !== OPEN_OBJECT) return undefined;
    try {
      return this.#read(body, from, to, defaults);
    } catch (e) {
      if (e !== BAILOUT) throw e;
      return undefined;
    }
  }

  #read(body: Uint8Array, from: number, to: number, defaults: BulkDefaults): BulkAction | undefined {
    const json = this.#json;
    json.start(body, from);
    json.open(CLOSE_OBJECT);
    const isIndex = json.isKey(INDEX);
    if (!isIndex && !json.isKey(CREATE)) return undefined;
    const action = emptyAction(isIndex ? 'index' : 'create', defaults);
    if (json.peek() !== OPEN_OBJECT) throw BAILOUT;
    let seen = 0;
    if (json.open(CLOSE_OBJECT)) {
      do {
        const key = this.#key();
        // Of what stands there twice the last counts.
        if ((seen & key) !== 0) throw BAILOUT;
        seen |= key;
        if (json.peek() !== QUOTE) throw BAILOUT;
        const value = json.string();
        if (key === ITS_ID) action.id = value;
        else if (key === ITS_TYPE) action.type = value;
        else action.index = value;
      } while (json.more(CLOSE_OBJECT));
    }
    json.expect(CLOSE_OBJECT);
    // A line that isn't whole may have been read on with the next one.
    json.end(to);
    return withoutId(action);
  }

  #key(): number {
    const json = this.#json;
    json.peek();
    if (json.isKey(ID)) return ITS_ID;
    if (json.isKey(TYPE)) return ITS_TYPE;
    if (json.isKey(INDEX_NAME)) return ITS_INDEX;
    throw BAILOUT;
  }
}

/** An action that indexes without saying under which id can only create. */
function withoutId(action: BulkAction): BulkAction {
  if (action.name === 'index' && action.id === undefined) {
    action.name = 'create';
    action.create = true;
  }
  return action;
}

/** An action that brings nothing yet. All have the same shape, whatever they bring. */
function emptyAction(name: string, defaults: BulkDefaults): BulkAction {
  return {
    name,
    kind: name === 'delete' || name === 'update' ? name : 'index',
    index: defaults.index,
    type: defaults.type,
    id: undefined,
    create: name === 'create',
    routing: defaults.routing,
    parent: undefined,
    timestamp: undefined,
    ttl: undefined,
    version: undefined,
    versionType: 'internal',
    source: undefined,
    change: undefined,
    bytes: 0,
    retries: 0,
  };
}

function readMeta(name: string, meta: unknown, defaults: BulkDefaults, line: number): BulkAction {
  const action = emptyAction(name, defaults);
  for (const key in meta as Record<string, unknown>) {
    const value = (meta as Record<string, unknown>)[key];
    if (isCompound(value)) {
      throw javaIllegalArgument(
        `Malformed action/metadata line [${line}], expected a simple value for field [${key}] but found [${tokenOf(value)}]`,
      );
    }
    const text = value === null ? undefined : String(value);
    switch (key) {
      case '_index':
        action.index = text;
        break;
      case '_type':
        action.type = text;
        break;
      case '_id':
        action.id = text;
        break;
      case '_routing':
      case 'routing':
        action.routing = text;
        break;
      case '_version':
      case 'version':
        action.version = bodyVersion(value);
        break;
      case '_version_type':
      case 'version_type':
      case '_versionType':
      case 'versionType':
        action.versionType = parseVersionType(text);
        break;
      case 'op_type':
      case 'opType':
        if (name === 'index' && text === 'create') {
          action.name = text;
          action.create = true;
        }
        break;
      case '_parent':
      case 'parent':
        action.parent = text;
        break;
      case '_timestamp':
      case 'timestamp':
        action.timestamp = text;
        break;
      case '_ttl':
      case 'ttl':
        action.ttl = text === undefined ? undefined : checkTtl(parseTime(text));
        break;
      case '_retry_on_conflict':
      case '_retryOnConflict':
        action.retries = value === null ? 0 : bodyNumber(value, strictIntOf);
        break;
      default:
        throw javaIllegalArgument(`Action/metadata line [${line}] contains an unknown parameter [${key}]`);
    }
  }
  action.routing ??= action.parent;
  return withoutId(action);
}

function malformed(line: number, found: string): ElasticsearchError {
  return javaIllegalArgument(
    `Malformed action/metadata line [${line}], expected START_OBJECT or END_OBJECT but found [${found}]`,
  );
}

/** The token by which 1.7's parser knows a value. */
function tokenOf(value: unknown): string {
  if (value === null || value === undefined) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY';
  switch (typeof value) {
    case 'string':
      return 'VALUE_STRING';
    case 'number':
      return 'VALUE_NUMBER';
    case 'boolean':
      return value ? 'VALUE_TRUE' : 'VALUE_FALSE';
    default:
      return 'START_OBJECT';
  }
}
