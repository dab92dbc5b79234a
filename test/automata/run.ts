/** Runs the bytes of an automaton over a word: what it accepts with, 0 if it doesn't. */
export function accepts(automaton: Uint8Array, word: string): number {
  const view = new DataView(automaton.buffer, automaton.byteOffset, automaton.byteLength);
  const offsets: number[] = [];
  for (let at = 4, n = view.getUint32(0, true); n > 0; n--) {
    offsets.push(at);
    at += 4 + 8 * view.getUint16(at + 2, true);
  }
  let state = 0;
  for (const byte of new TextEncoder().encode(word)) {
    const at = offsets[state]!;
    let next = -1;
    let before = -1;
    for (let i = 0; i < view.getUint16(at + 2, true); i++) {
      const edge = at + 4 + 8 * i;
      const [low, high] = [automaton[edge]!, automaton[edge + 1]!];
      if (low > high || low <= before) throw new Error('edges overlap');
      before = high;
      if (byte >= low && byte <= high) next = view.getUint32(edge + 4, true);
    }
    if (next < 0) return 0;
    state = next;
  }
  return automaton[offsets[state]!]!;
}
