/** Writes pointer number `i` of an array. */
export function setPointer(array: usize, i: u32, value: usize): void {
  store<usize>(array + <usize>i * sizeof<usize>(), value);
}
