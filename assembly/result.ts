/** Where the last ABI call left its output: a range in linear memory, valid until the next call. */
let address: usize = 0;
let length: u32 = 0;

/** Publishes `bytes` bytes at `ptr` as the output of the current call. */
export function setResult(ptr: usize, bytes: u32): void {
  address = ptr;
  length = bytes;
}

/** Address of the last output. */
export function resultPtr(): usize {
  return address;
}

/** Length of the last output in bytes. */
export function resultLength(): u32 {
  return length;
}
