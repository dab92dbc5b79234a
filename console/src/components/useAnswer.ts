/** Something that is asked for, and asked for again when what it depends on changes. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useClient } from '../app/context';

/** What is known by now: a value of earlier stays while it is asked for again. */
export interface Answered<T> {
  value: T | undefined;
  error: unknown;
  isLoading: boolean;
  /** Asks again. */
  reload: () => void;
}

/** @param depends what it is asked for again with: a change ends the request that is under way */
export function useAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  depends: readonly unknown[],
): ReadonlySignal<Answered<T>> {
  const client = useClient();
  const count = useSignal(0);
  const reload = () => {
    count.value++;
  };
  const answered = useSignal<Answered<T>>({ value: undefined, error: undefined, isLoading: true, reload });
  useEffect(() => {
    const ending = new AbortController();
    answered.value = { ...answered.peek(), isLoading: true };
    ask(ending.signal).then(
      (value) => {
        if (!ending.signal.aborted) answered.value = { value, error: undefined, isLoading: false, reload };
      },
      (error: unknown) => {
        if (!ending.signal.aborted) answered.value = { value: undefined, error, isLoading: false, reload };
      },
    );
    return () => ending.abort();
  }, [...depends, count.value, client.signedIn.value]);
  return answered;
}
