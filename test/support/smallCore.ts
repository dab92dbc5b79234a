/** The core with less linear memory than it may have elsewhere: for tests of what happens when there is none left. */

const MEMORY_SECTION = 5;

/** The core's bytes with a bound on its memory, in MiB. */
export function smallCore(wasm: Uint8Array, mebibytes: number): Uint8Array<ArrayBuffer> {
  let at = 8;
  while (wasm[at] !== MEMORY_SECTION) {
    const size = leb(wasm, at + 1);
    at = size.end + size.value;
  }
  const size = leb(wasm, at + 1);
  // One memory: its flags, its first pages, and now the most it may have.
  const first = leb(wasm, size.end + 2);
  const body = [1, 1, ...encode(first.value), ...encode(mebibytes * 16)];
  const section = [MEMORY_SECTION, ...encode(body.length), ...body];
  const rest = wasm.subarray(size.end + size.value);
  const out = new Uint8Array(at + section.length + rest.length);
  out.set(wasm.subarray(0, at));
  out.set(section, at);
  out.set(rest, at + section.length);
  return out;
}

function leb(bytes: Uint8Array, from: number): { value: number; end: number } {
  let value = 0;
  for (let at = from, shift = 0; ; at++, shift += 7) {
    value |= (bytes[at]! & 0x7f) << shift;
    if (bytes[at]! < 0x80) return { value, end: at + 1 };
  }
}

function encode(value: number): number[] {
  const out: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return [...out, left];
    out.push((left & 0x7f) | 0x80);
  }
}
