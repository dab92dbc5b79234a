/** Runs the automata of plans (`encodeDfa`) here: over what the core has no terms of. */

/** The bytes of a state before its edges, and of an edge. */
const STATE = 4;
const EDGE = 8;

/** Texts that an automaton takes. */
export interface Acceptor {
  /** What all of them begin with, as far as it is plain. */
  readonly prefix: string;
  accepts(text: string): boolean;
}

const utf8 = new TextEncoder();

/** The texts of an automaton's bytes. */
export function acceptorOf(automaton: Uint8Array): Acceptor {
  const view = new DataView(automaton.buffer, automaton.byteOffset, automaton.byteLength);
  const states: number[] = [];
  for (let n = view.getUint32(0, true), at = 4; n > 0; n--) {
    states.push(at);
    at += STATE + view.getUint16(at + 2, true) * EDGE;
  }
  /** The state behind a byte; undefined: there is none. */
  const step = (state: number, byte: number): number | undefined => {
    const at = states[state]!;
    for (let edge = 0; edge < view.getUint16(at + 2, true); edge++) {
      const from = at + STATE + edge * EDGE;
      if (byte >= view.getUint8(from) && byte <= view.getUint8(from + 1))
        return view.getUint32(from + 4, true);
    }
    return undefined;
  };
  return {
    prefix: states.length === 0 ? '' : plainPrefix(view, states),
    accepts(text) {
      let state: number | undefined = states.length === 0 ? undefined : 0;
      for (const byte of utf8.encode(text)) {
        if (state === undefined) return false;
        state = step(state, byte);
      }
      return state !== undefined && view.getUint8(states[state]!) !== 0;
    },
  };
}

/** The ASCII characters that lead from the start without a choice. */
function plainPrefix(view: DataView, states: readonly number[]): string {
  let prefix = '';
  for (let state = 0; prefix.length < states.length; ) {
    const at = states[state]!;
    if (view.getUint8(at) !== 0 || view.getUint16(at + 2, true) !== 1) break;
    const first = view.getUint8(at + STATE);
    if (first !== view.getUint8(at + STATE + 1) || first > 0x7f) break;
    prefix += String.fromCharCode(first);
    state = view.getUint32(at + STATE + 4, true);
  }
  return prefix;
}
