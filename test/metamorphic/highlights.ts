/** Random highlighting. */
import type { Chance } from './chance.js';
import type { Scope } from './fields.js';
import type { JsonObject } from './json.js';
import { phrase } from './leaves.js';

function options(c: Chance, scope: Scope): JsonObject {
  return {
    ...c.maybe(0.3, 'type', () => c.of(['plain', 'fvh', 'postings'])),
    ...c.maybe(0.3, 'number_of_fragments', () => c.between(0, 2)),
    ...c.maybe(0.2, 'fragment_size', () => c.of([20, 18, 1000])),
    ...c.maybe(0.2, 'no_match_size', () => 10),
    ...c.maybe(0.3, 'require_field_match', () => c.chance(0.5)),
    ...c.maybe(0.1, 'order', () => 'score'),
    ...c.maybe(0.1, 'pre_tags', () => ['<b>', '<i>']),
    ...c.maybe(0.1, 'post_tags', () => ['</b>', '</i>']),
    ...c.maybe(0.1, 'matched_fields', () => c.many(1, 2, () => c.of(scope.text))),
    ...c.maybe(0.08, 'phrase_limit', () => 2),
    ...c.maybe(0.08, 'boundary_max_scan', () => 3),
    ...c.maybe(0.08, 'boundary_chars', () => ' ,'),
    ...c.maybe(0.08, 'fragment_offset', () => 3),
    ...c.maybe(0.08, 'fragmenter', () => c.of(['simple', 'span'])),
    ...c.maybe(0.08, 'force_source', () => true),
    ...c.maybe(0.1, 'highlight_query', () => ({ match: { [c.of(scope.text)]: phrase(c) } })),
  };
}

/** What of a hit's fields is shown with the words found marked. */
export function highlight(c: Chance, scope: Scope): JsonObject {
  const fields = { [c.of([...scope.text, '*'])]: options(c, scope), [c.of(scope.text)]: options(c, scope) };
  return {
    ...c.maybe(0.1, 'tags_schema', () => 'styled'),
    ...c.maybe(0.1, 'encoder', () => 'html'),
    ...(c.chance(0.15) ? options(c, scope) : {}),
    fields: c.chance(0.1) ? Object.entries(fields).map(([name, each]) => ({ [name]: each })) : fields,
  };
}
