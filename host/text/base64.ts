/** Base64 as the JSON parser of 1.7 reads it, which says where a text stops being any. */

/** A text that is none. */
export class NoBase64 extends Error {
  /** Characters that were read; one more than there are where the text ends too early. */
  readonly read: number;

  constructor(message: string, read: number) {
    super(message);
    this.read = read;
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PADDING = '=';
const UNIT = 4;

/** The bytes of a text, in which white space may stand between units of four; throws a {@link NoBase64}. */
export function decodeBase64(text: string): Uint8Array {
  const out: number[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
    if (at >= text.length) return Uint8Array.from(out);
    let bits = 0;
    let known = 0;
    for (let i = 0; i < UNIT; i++) {
      // Behind the text, the parser sees its quote.
      const char = text[at++] ?? '"';
      const value = ALPHABET.indexOf(char);
      if (known < i && char !== PADDING)
        throw unexpected(char, i, at, `expected padding character '${PADDING}'`);
      if (value < 0 && (char !== PADDING || i < 2)) throw unexpected(char, i, at);
      if (value >= 0) known++;
      bits = (bits << 6) | Math.max(0, value);
    }
    for (let i = 0; i < known - 1; i++) out.push((bits >> (16 - 8 * i)) & 0xff);
  }
}

function unexpected(char: string, index: number, read: number, more?: string): NoBase64 {
  const code = `code 0x${char.charCodeAt(0).toString(16)}`;
  const place = `as character #${index + 1} of 4-char base64 unit`;
  let message: string;
  if (char <= ' ') message = `Illegal white space character (${code}) ${place}: can only used between units`;
  else if (char === PADDING)
    message = `Unexpected padding character ('${PADDING}') ${place}: padding only legal as 3rd or 4th character`;
  else message = `Illegal character '${char}' (${code}) in base64 content`;
  return new NoBase64(more === undefined ? message : `${message}: ${more}`, read);
}
