/** The fields about a document, as the mappings of single fields show them beside those in it. */
import { isObject } from '../../json/values.js';
import type { Json } from '../json.js';

/** What the mapping of a type says of them where it says nothing; those that are never configured show nothing. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  _all: {
    enabled: true,
    store: false,
    store_term_vectors: false,
    store_term_vector_offsets: false,
    store_term_vector_positions: false,
    store_term_vector_payloads: false,
    omit_norms: false,
    analyzer: 'default',
    similarity: 'default',
    fielddata: {},
  },
  _boost: { name: '_boost', null_value: null, index: false, store: false },
  _field_names: { store: false, index: 'not_analyzed', enabled: true },
  _id: { store: false, index: 'no', path: null },
  _index: { store: false, enabled: false },
  _parent: {},
  _routing: { store: true, index: 'not_analyzed', required: false, path: null },
  _size: { enabled: false, store: false },
  _source: {
    enabled: true,
    format: null,
    compress: false,
    compress_threshold: -1,
    includes: [],
    excludes: [],
  },
  _timestamp: { enabled: false, store: false, path: null, format: 'dateOptionalTime', default: 'now' },
  _ttl: { enabled: false },
  _type: { store: false, index: 'not_analyzed' },
  _uid: {},
  _version: {},
};

/**
 * Those whose names pass, each with what the type says of it.
 * @param type the mapping of a type as answers show it
 * @param all whether what is not said is shown too
 */
export function metaFieldMappings(
  type: unknown,
  passes: (name: string) => boolean,
  all: boolean,
): [name: string, mapping: Json][] {
  return Object.entries(DEFAULTS)
    .filter(([name]) => passes(name))
    .map(([name, defaults]) => {
      const section = isObject(type) ? type[name] : undefined;
      const shown = { ...(all ? defaults : {}), ...(isObject(section) ? section : {}) } as Record<
        string,
        Json
      >;
      const mapping = Object.keys(shown).length === 0 ? {} : { [name]: shown };
      return [name, { full_name: name, mapping }];
    });
}
