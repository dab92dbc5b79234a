/** Completion for an editor whose whole text is one body, such as that of a search. */
import { autocompletion } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { Client } from '../api/client';
import { bodyCompletion } from './bodyCompletion';
import { KnownNames } from './knownNames';

/** @param path where the body is sent: `/books/_search`. Asked for each time, so that the extension can stay the same */
export function searchCompletion(client: Client, path: () => string): Extension {
  const names = new KnownNames(client);
  const source = bodyCompletion(
    ({ state }) => ({ from: 0, to: state.doc.length, path: path() }),
    (at) => names.forBody(at),
  );
  return autocompletion({ override: [source], icons: false, maxRenderedOptions: 100 });
}
