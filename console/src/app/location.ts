/**
 * Where a person is, in the part of the address behind `#`: `#/search?index=books&q=time`. Any static web server serves that, a link holds the
 * state of a view, and the browser's buttons go back and forth.
 */
import { computed, signal } from '@preact/signals';

/** A view with its parameters. */
export interface Place {
  /** The name of the view, such as `search`. */
  view: string;
  params: URLSearchParams;
}

/** Where one is now. */
export const place = signal<Place>(read());

/** The index that is looked at; views hand it on to each other. Empty where none was chosen. */
export const selectedIndex = computed(() => place.value.params.get('index') ?? '');

addEventListener('hashchange', () => {
  place.value = read();
});

/** The address of a view. `index` goes along where nothing else is said. */
export function linkTo(view: string, params: Readonly<Record<string, string | undefined>> = {}): string {
  const search = new URLSearchParams();
  const all: Record<string, string | undefined> = { index: selectedIndex.value, ...params };
  for (const [name, value] of Object.entries(all))
    if (value !== undefined && value !== '') search.set(name, value);
  const query = search.toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
}

/** Goes to a view, one step further for the browser's button. */
export function goTo(view: string, params: Readonly<Record<string, string | undefined>> = {}): void {
  location.hash = linkTo(view, params);
}

/** Changes parameters of this view where one is: what was typed is no step of its own. An empty value takes one out. */
export function setParams(params: Readonly<Record<string, string | undefined>>): void {
  const next = new URLSearchParams(place.value.params);
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  const query = next.toString();
  history.replaceState(null, '', `#/${place.value.view}${query === '' ? '' : `?${query}`}`);
  place.value = { view: place.value.view, params: next };
}

function read(): Place {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  return { view: path === '' ? 'overview' : path, params: new URLSearchParams(query) };
}
