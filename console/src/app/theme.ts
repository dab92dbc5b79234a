/** Light or dark: as the system has it, or as one has chosen here. */
import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'resilin.theme';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = signal<Theme>(kept());

/** Keeps the page's theme what {@link theme} says. */
export function applyTheme(): void {
  effect(() => {
    const { value } = theme;
    if (value === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
    try {
      localStorage.setItem(KEY, value);
    } catch {
      // A page without storage forgets it.
    }
  });
}

/** The next one in the row. */
export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!;
}

function kept(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return THEMES.find((each) => each === value) ?? 'system';
  } catch {
    return 'system';
  }
}
