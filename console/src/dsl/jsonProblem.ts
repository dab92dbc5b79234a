/** The first place where a text is no JSON, in words. Browsers tell it in words of their own, some without the place. */

export interface JsonProblem {
  offset: number;
  message: string;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
/** No control characters: those begin below the space. */
const STRING = /"(?:[ -!#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SPACE = /[ \t\r\n]*/y;

/** Undefined where the text is one value of JSON. */
export function jsonProblem(text: string): JsonProblem | undefined {
  const reader = new Reader(text);
  reader.skip();
  return (
    reader.value() ??
    (reader.at < text.length ? reader.problem('This stands behind the end of the body.') : undefined)
  );
}

class Reader {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  skip(): void {
    this.#take(SPACE);
  }

  problem(message: string): JsonProblem {
    return { offset: this.at, message };
  }

  /** Objects and lists on a stack: a body may be deep. */
  value(): JsonProblem | undefined {
    const open: ('{' | '[')[] = [];
    for (;;) {
      // A value.
      const c = this.#text[this.at];
      if (c === '{' || c === '[') {
        open.push(c);
        this.at++;
        this.skip();
        if (this.#text[this.at] !== closing(c)) {
          if (c === '{') {
            const wrong = this.#name();
            if (wrong !== undefined) return wrong;
          }
          continue;
        }
      } else {
        const wrong = this.#scalar();
        if (wrong !== undefined) return wrong;
        this.skip();
      }
      // What is behind it.
      for (;;) {
        const top = open.at(-1);
        if (top === undefined) return undefined;
        const next = this.#text[this.at];
        if (next === closing(top)) {
          open.pop();
          this.at++;
          this.skip();
          continue;
        }
        if (next !== ',') return this.problem(`A comma or ${closing(top)} is missing here.`);
        this.at++;
        this.skip();
        if (this.#text[this.at] === closing(top))
          return this.problem('The comma before this is one too many.');
        if (top === '{') {
          const wrong = this.#name();
          if (wrong !== undefined) return wrong;
        }
        break;
      }
    }
  }

  #name(): JsonProblem | undefined {
    if (!this.#take(STRING))
      return this.problem(
        this.#text[this.at] === '"' ? 'This string has no end.' : 'A name in quotes is missing here.',
      );
    this.skip();
    if (this.#text[this.at] !== ':') return this.problem('A colon is missing here.');
    this.at++;
    this.skip();
    return undefined;
  }

  #scalar(): JsonProblem | undefined {
    if (this.#take(STRING) || this.#take(NUMBER) || this.#take(WORD)) return undefined;
    return this.problem(
      this.#text[this.at] === '"' ? 'This string has no end, or a wrong escape.' : 'A value is missing here.',
    );
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.#text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }
}

function closing(open: '{' | '['): '}' | ']' {
  return open === '{' ? '}' : ']';
}
