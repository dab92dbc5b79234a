/** Writes answers as YAML, as 1.7 does: texts in double quotes, broken at blanks where a line gets too long. */
import { encodeEvents, type JsonSink } from '../formats/jsonEvents.js';
import { joined } from '../formats/jsonWriter.js';
import type { IsDue } from '../passes.js';
import type { Turns } from '../workLimit.js';

const WIDTH = 80;
/** Characters that are encoded together. */
const PIECE = 16 * 1024;
const utf8 = new TextEncoder();

/** JSON as YAML. */
export function yamlOf(json: Uint8Array, isDue?: IsDue): Turns<Uint8Array> {
  return encodeEvents(json, () => new YamlWriter(), isDue);
}

/** A container that is open. */
interface Open {
  isObject: boolean;
  /** Of its lines. */
  indent: number;
}

/** Writes what it is told of. A container is written where its first element comes: an empty one stands in the line around it. */
class YamlWriter implements JsonSink {
  #text = '---';
  readonly #pieces: Uint8Array[] = [];
  readonly #open: Open[] = [];
  /** A container of which nothing is known but that it has been opened. */
  #unwritten: boolean | undefined;
  /** Whether the next line goes on behind a dash. */
  #isBehindDash = false;
  /** Where the line ends that the next value belongs to. */
  #column = 3;

  open(isObject: boolean): void {
    this.#begin();
    this.#element();
    this.#unwritten = isObject;
  }

  close(isObject: boolean): void {
    if (this.#unwritten === undefined) this.#open.pop();
    else {
      this.#unwritten = undefined;
      this.#add(` ${isObject ? '{}' : '[]'}\n`);
    }
  }

  name(name: string): void {
    this.#begin();
    const key = `${keyText(name)}:`;
    this.#column = this.#indent + key.length;
    this.#add(`${this.#margin()}${key}`);
  }

  scalar(json: string): void {
    this.#begin();
    this.#element();
    this.#add(` ${scalar(json, this.#column + 1, this.#indent)}\n`);
  }

  bytes(): Uint8Array {
    this.#keep();
    return joined(this.#pieces);
  }

  get #indent(): number {
    return this.#open.at(-1)?.indent ?? 0;
  }

  /** The container that was opened last is not empty. */
  #begin(): void {
    if (this.#unwritten === undefined) return;
    const isObject = this.#unwritten;
    const around = this.#open.at(-1);
    const isBehindDash = around?.isObject === false;
    // A list stands below its name as far to the left.
    const deeper = around === undefined || (around.isObject && !isObject) ? 0 : 2;
    this.#add(isBehindDash ? ' ' : '\n');
    this.#isBehindDash = isBehindDash;
    this.#open.push({ isObject, indent: this.#indent + deeper });
    this.#unwritten = undefined;
  }

  /** The dash of an element, if it is one of a list. */
  #element(): void {
    if (this.#open.at(-1)?.isObject !== false) return;
    this.#column = this.#indent + 1;
    this.#add(`${this.#margin()}-`);
  }

  #margin(): string {
    if (!this.#isBehindDash) return ' '.repeat(this.#indent);
    this.#isBehindDash = false;
    return '';
  }

  #add(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE) this.#keep();
  }

  #keep(): void {
    this.#pieces.push(utf8.encode(this.#text));
    this.#text = '';
  }
}

function keyText(key: string): string {
  return /^[\w./-][\w./ -]*$/.test(key) && !/^[\d.+-]+$/.test(key) ? key : JSON.stringify(key);
}

/** A scalar; a text is broken before the blank that follows the end of the line. */
function scalar(json: string, column: number, indent: number): string {
  if (!json.startsWith('"')) return json;
  const text = JSON.stringify(JSON.parse(json)).slice(1, -1);
  let out = '"';
  let at = column + 1;
  let start = 0;
  for (let end = 0; end < text.length; end++) {
    if (text[end] !== ' ' || end === 0 || end >= text.length - 1 || at + (end - start) <= WIDTH) continue;
    out += `${text.slice(start, end)}\\\n${' '.repeat(indent + 2)}\\`;
    at = indent + 3;
    start = end;
  }
  return `${out}${text.slice(start)}"`;
}
