/** Terms as they print. */

const utf8 = new TextDecoder();

/** The text of a term's bytes. */
export function termText(term: Uint8Array): string {
  return utf8.decode(term);
}
