/** The width of an element in pixels, kept as it changes: for what is drawn to fit. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export function useWidth<E extends Element>(): { ref: RefObject<E | null>; width: ReadonlySignal<number> } {
  const ref = useRef<E>(null);
  const width = useSignal(0);
  useEffect(() => {
    const element = ref.current!;
    const measure = () => {
      width.value = Math.floor(element.clientWidth);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
