/** Completion for an editor whose whole text is one body, such as that of a search, or a part of one. */
import { autocompletion } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { Client } from '../api/client';
import { bodyCompletion } from './bodyCompletion';
import { KnownNames } from './knownNames';

/**
 * @param path where the body is sent: `/books/_search`. Asked for each time, so that the extension can stay the same
 * @param below the names of what the text stands in, such as `aggs`, where it is a part of the body
 */
export function searchCompletion(
  client: Client,
  path: () => string,
  below: readonly string[] = [],
): Extension {
  const names = new KnownNames(client);
  const source = bodyCompletion(
    ({ state }) => ({ from: 0, to: state.doc.length, path: path(), below }),
    (at) => names.forBody(at),
  );
  return autocompletion({ override: [source], icons: false, maxRenderedOptions: 100 });
}
