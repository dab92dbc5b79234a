/** The items of a bulk's answer, written as they come: what became of each action. */
import { ElasticsearchError } from '../../errors.js';
import type { OperationOutcome } from '../../engine/writing.js';
import type { BulkAction } from './bulkBody.js';
import { type Json, Raw } from '../json.js';
import { isPlain } from '../request.js';

/** Text is turned into bytes when there is this much of it. */
const CHUNK_CHARS = 64 * 1024;
/** The end of the commonest item. */
const CREATED = ',"_version":1,"status":201}}';
const utf8 = new TextEncoder();

/** Collects items: as bytes, or as values where the request wants them in another shape than they are written in. */
export class BulkItems {
  readonly #values: Json[] | undefined;
  readonly #chunks: Uint8Array[] = [];
  /** The beginnings of items, by what they have in common; and what the last one had. */
  readonly #heads = new Map<string, string>();
  readonly #last = { name: '', index: '', type: '', head: '' };
  #text = '[';
  /** Whether an action has failed. */
  errors = false;

  constructor(query: ReadonlyMap<string, string>) {
    this.#values = isPlain(query) ? undefined : [];
  }

  /** What became of an action, which has its id. */
  add(action: BulkAction, { index, shard, result }: OperationOutcome): void {
    const failed = result instanceof ElasticsearchError;
    this.errors ||= failed;
    // A deletion that no shard has seen is reported as index.
    const name = failed && shard < 0 && action.kind === 'delete' ? 'index' : action.name;
    const type = action.type!;
    const id = action.id!;
    if (failed) {
      const at = { _index: index, _type: type, _id: id };
      this.#value({ [name]: { ...at, status: result.status, error: result.render() } });
      return;
    }
    const { version, fresh } = result;
    const deletion = action.kind === 'delete';
    const status = deletion ? (fresh ? 200 : 404) : fresh ? 201 : 200;
    if (this.#values !== undefined) {
      const found = deletion ? fresh : undefined;
      this.#value({ [name]: { _index: index, _type: type, _id: id, _version: version, status, found } });
      return;
    }
    this.#write(this.#head(name, index, type));
    this.#text += isPlainText(id) ? `"${id}"` : JSON.stringify(id);
    if (!deletion && fresh && version === 1) this.#text += CREATED;
    else {
      const end = deletion ? `,"found":${fresh}}}` : '}}';
      this.#text += `,"_version":${version},"status":${status}${end}`;
    }
  }

  /** All of them. */
  json(): Json {
    if (this.#values !== undefined) return this.#values;
    this.#text += ']';
    this.#flush();
    return new Raw(...this.#chunks.splice(0));
  }

  #value(item: Json): void {
    if (this.#values !== undefined) this.#values.push(item);
    else this.#write(JSON.stringify(item));
  }

  #head(name: string, index: string, type: string): string {
    const last = this.#last;
    if (last.name === name && last.index === index && last.type === type) return last.head;
    const key = `${name} ${index} ${type}`;
    let head = this.#heads.get(key);
    if (head === undefined) {
      head = `{"${name}":{"_index":${JSON.stringify(index)},"_type":${JSON.stringify(type)},"_id":`;
      if (this.#heads.size > 1000) this.#heads.clear();
      this.#heads.set(key, head);
    }
    Object.assign(last, { name, index, type, head });
    return head;
  }

  /** Begins an item. */
  #write(item: string): void {
    if (this.#text.length > CHUNK_CHARS) this.#flush();
    if (this.#text !== '[' || this.#chunks.length > 0) this.#text += ',';
    this.#text += item;
  }

  #flush(): void {
    this.#chunks.push(utf8.encode(this.#text));
    this.#text = '';
  }
}

/** Whether a text stands in JSON as it is: printable ASCII without quotes and backslashes. */
function isPlainText(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return false;
  }
  return true;
}
