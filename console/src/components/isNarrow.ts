/** Whether the window is narrow: parts that stand side by side stand below each other then. */
import { type ReadonlySignal, signal } from '@preact/signals';

const known = new Map<number, ReadonlySignal<boolean>>();

/** @param width pixels up to which it is */
export function isNarrow(width: number): boolean {
  let found = known.get(width);
  if (found === undefined) {
    const query = matchMedia(`(max-width: ${width}px)`);
    const state = signal(query.matches);
    query.addEventListener('change', () => {
      state.value = query.matches;
    });
    known.set(width, state);
    found = state;
  }
  return found.value;
}
