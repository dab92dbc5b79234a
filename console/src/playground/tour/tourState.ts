/** How far somebody has come on the tour. A reload goes on there; another tab begins anew. */
import { effect, signal } from '@preact/signals';

const KEY = 'resilin.tour';

/** The step, from 0 on; undefined where nobody is on the tour. */
export const tourStep = signal<number | undefined>(kept());

export function startTour(): void {
  tourStep.value = 0;
}

effect(() => {
  const { value } = tourStep;
  try {
    if (value === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, String(value));
  } catch {
    // A page without storage begins anew.
  }
});

function kept(): number | undefined {
  try {
    const text = sessionStorage.getItem(KEY);
    return text !== null && /^\d$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}
