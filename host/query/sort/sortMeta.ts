/** Sorting by texts about documents that the core doesn't know: `_uid`, `_index`, `_parent`, `_field_names`. */

import { Fielddata } from '../../mapping/fielddata.js';
import type { MappingModel } from '../../mapping/model.js';
import { type MetaKey, SortMode } from '../../plan/sortKeys.js';
import type { StoredDocument } from '../../storage/storedDocuments.js';
import type { Dsl } from '../context.js';

/** The names that {@link metaSort} knows. */
export const SORTED_META: ReadonlySet<string> = new Set(['_uid', '_index', '_parent', '_field_names']);

/** The texts that such a field sorts documents by; of several the mode takes the first or the last. */
export function metaSort(
  name: string,
  mode: SortMode,
  { index, model }: Dsl,
): Pick<MetaKey, 'textOf' | 'isOne'> {
  const chosen = (texts: string[]) => {
    const sorted = texts.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return (mode === SortMode.max ? sorted.at(-1) : sorted[0]) ?? null;
  };
  if (name === '_index') return { isOne: true, textOf: () => index };
  if (name === '_uid') return { isOne: false, textOf: ({ type, id }) => `${type}#${id}` };
  if (name === '_parent') return { isOne: false, textOf: (document) => chosen(familyIds(document, model)) };
  const values = new Fielddata(model);
  return { isOne: false, textOf: (document) => chosen(values.fieldNames(document)) };
}

/** The ids that join a document with its parent and its children: of a parent it is the document's own. */
export function familyIds({ type, id, parent }: StoredDocument, model: MappingModel): string[] {
  const ids = parent === undefined || model.type(type)?.parent === undefined ? [] : [parent];
  if (model.ownUid(type) !== undefined) ids.push(id);
  return ids;
}
