/** Automata for beginnings: what comes behind an accepted word is accepted too, whatever its bytes. */

/** The automaton of the words that begin with a word of the given one (its bytes as in dfa.ts). */
export function withAnythingBehind(automaton: Uint8Array): Uint8Array {
  const view = new DataView(automaton.buffer, automaton.byteOffset, automaton.byteLength);
  const heads: number[] = [];
  for (let at = 4, n = view.getUint32(0, true); n > 0; n--) {
    heads.push(at);
    at += 4 + 8 * view.getUint16(at + 2, true);
  }
  const sizes = heads.map((head) => (automaton[head] === 0 ? 4 + 8 * view.getUint16(head + 2, true) : 12));
  const out = new Uint8Array(sizes.reduce((sum, size) => sum + size, 4));
  const written = new DataView(out.buffer);
  written.setUint32(0, heads.length, true);
  let to = 4;
  heads.forEach((head, state) => {
    if (automaton[head] === 0) out.set(automaton.subarray(head, head + sizes[state]!), to);
    else {
      // An accepting state leads to itself by every byte.
      out[to] = automaton[head]!;
      written.setUint16(to + 2, 1, true);
      out[to + 5] = 0xff;
      written.setUint32(to + 8, state, true);
    }
    to += sizes[state]!;
  });
  return out;
}
