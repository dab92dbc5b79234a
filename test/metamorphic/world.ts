/** One logical index: its mappings, and the documents that it has in the end. */
import { Chance } from './chance.js';
import { place, text, fieldValue, WORDS } from './fields.js';
import type { Json, JsonObject } from './json.js';

export interface Doc {
  type: string;
  id: string;
  parent?: string;
  routing?: string;
  source: JsonObject;
  /** What it was before, in layouts where documents are replaced. */
  earlier: JsonObject;
  /** Numbers in [0, 1) by which layouts decide what happens around it; the same however many others there are. */
  luck: number[];
}

export interface World {
  seed: number;
  settings: JsonObject;
  mappings: JsonObject;
  /** In the order of writing. */
  docs: Doc[];
  /** Written and deleted again in layouts with deletions. */
  extras: Doc[];
  /** How often layouts of many segments refresh after a document. */
  refreshes: number;
  /** The filter of an alias. */
  alias: JsonObject;
}

/** Makes the world of a seed; a large one has segments of several blocks and windows. */
export function makeWorld(seed: number, large = false): World {
  const c = new Chance(seed);
  const size = c.next();
  const count = large
    ? c.between(3000, 9000)
    : size < 0.6
      ? c.between(1, 30)
      : size < 0.92
        ? c.between(30, 150)
        : c.between(150, 500);
  const presence = new Map<string, number>();
  const mappings = makeMappings(c);
  const docs = makeDocs(c, count, presence, '');
  const extras = makeDocs(c, c.between(0, Math.ceil(count / 3)), presence, 'x');
  const settings = {
    number_of_replicas: 0,
    refresh_interval: '-1',
    ...(c.chance(0.15) ? { 'similarity.default.type': 'BM25' } : {}),
  };
  const refreshes = c.of([1, 0.5, 0.3, 0.1, 0.03]);
  const ids = () => ({ ids: { values: c.many<Json>(1, 40, () => String(c.below(count))) } });
  // Filters of aliases name mapped fields only: without any, worlds with smaller mappings have one too.
  const alias = c.of<() => JsonObject>([ids, () => ({ not: ids() }), () => ({ type: { value: 'item' } })])();
  if (c.chance(0.2)) (mappings.item as JsonObject)._timestamp = { enabled: true };
  return { seed, settings, mappings, docs, extras, refreshes, alias };
}

/** Properties of a field, of which some are drawn. */
function makeMappings(c: Chance): JsonObject {
  const stored = () => c.maybe(0.2, 'store', () => true);
  const columns = () => c.maybe(0.3, 'doc_values', () => true);
  // A boost is kept in norms.
  const weighed = () =>
    c.of<() => JsonObject>([() => ({}), () => ({ boost: 2 }), () => ({ norms: { enabled: false } })])();
  const analyzed = (): JsonObject => ({
    type: 'string',
    ...c.maybe(0.5, 'analyzer', () => c.of(['english', 'whitespace', 'simple', 'standard', 'stop'])),
    ...c.maybe(0.3, 'index_options', () => c.of(['docs', 'freqs', 'positions', 'offsets'])),
    ...weighed(),
    ...c.maybe(0.3, 'term_vector', () => c.of(['yes', 'with_positions_offsets'])),
    ...stored(),
  });
  const word = (): JsonObject => ({ type: 'string', index: 'not_analyzed', ...columns(), ...stored() });
  const number = (type: string): JsonObject => ({ type, ...columns(), ...stored() });
  const kids: JsonObject = {
    type: 'nested',
    ...c.maybe(0.2, 'include_in_parent', () => true),
    properties: {
      name: analyzed(),
      tag: word(),
      age: number('integer'),
      weight: number('double'),
      born: number('date'),
      toys: {
        type: 'nested',
        ...c.maybe(0.2, 'include_in_root', () => true),
        properties: { label: analyzed(), kind: word(), cost: number('short') },
      },
    },
  };
  const item: JsonObject = {
    ...c.maybe(0.2, '_all', () => ({ enabled: false })),
    properties: {
      title: { ...analyzed(), fields: { raw: word() }, ...c.maybe(0.2, 'copy_to', () => 'body') },
      body: analyzed(),
      tag: { ...word(), ...c.maybe(0.3, 'null_value', () => 'b') },
      code: word(),
      n: { ...number('long'), ...c.maybe(0.2, 'null_value', () => 3) },
      small: number(c.of(['byte', 'short', 'integer'])),
      huge: number('long'),
      d: number(c.of(['double', 'float'])),
      when: number('date'),
      seen: number('date'),
      flag: { type: 'boolean', ...stored() },
      addr: number('ip'),
      spot: {
        type: 'geo_point',
        ...c.maybe(0.3, 'lat_lon', () => true),
        ...c.maybe(0.3, 'geohash_prefix', () => true),
        ...c.maybe(0.3, 'doc_values', () => true),
      },
      area: { type: 'geo_shape', precision: '50km' },
      obj: { properties: { note: analyzed(), count: number('integer') } },
      auto: { type: 'completion', ...c.maybe(0.5, 'payloads', () => true) },
      around: {
        type: 'completion',
        context: {
          kind: { type: 'category', path: 'tag', default: c.of<Json>(['a', ['b', 'c']]) },
          where: {
            type: 'geo',
            precision: c.between(1, 3),
            neighbors: c.chance(0.5),
            path: 'spot',
            default: 'u33',
          },
        },
      },
      scarce: number('long'),
      loose: word(),
      seq: { type: 'long' },
      kids,
    },
  };
  const relative = (parent: string): JsonObject => ({
    _parent: { type: parent },
    properties: {
      note: analyzed(),
      tag: word(),
      n: number('long'),
      when: number('date'),
      seq: { type: 'long' },
    },
  });
  // Fields of the same name are alike in all types.
  const child = relative('item');
  const shared = item.properties as JsonObject;
  Object.assign(child.properties as JsonObject, { tag: shared.tag, n: shared.n, when: shared.when });
  const grand = { ...child, _parent: { type: 'child' } };
  return { item, child, grand };
}

function makeDocs(c: Chance, count: number, presence: Map<string, number>, prefix: string): Doc[] {
  const docs: Doc[] = [];
  const families = c.of([0, 0, 0.3, 0.6]);
  for (let i = 0; i < count; i++) {
    const id = `${prefix}${i}`;
    const luck = [c.next(), c.next(), c.next(), c.next()];
    const relation = c.chance(families) ? relationOf(c, docs, count, prefix) : { type: 'item' };
    const make = () =>
      relation.type === 'item' ? itemSource(c, presence) : relativeSource(c, presence, relation.type);
    docs.push({ ...relation, id, source: { ...make(), seq: i }, earlier: make(), luck });
  }
  if (prefix !== '' || c.chance(0.7)) return docs;
  // Registered queries.
  const registered = c.many(1, 6, () => ({}));
  registered.forEach((_, i) => {
    const source = (): JsonObject => ({
      query: c.of<() => JsonObject>([
        () => ({ match: { title: text(c, 2) } }),
        () => ({ term: { tag: fieldValue(c, 'tag') } }),
        () => ({ range: { n: { gte: fieldValue(c, 'n') } } }),
        () => ({ match_all: {} }),
      ])(),
      rank: c.below(5),
    });
    docs.push({
      type: '.percolator',
      id: `q${i}`,
      source: { ...source(), seq: count + i },
      earlier: source(),
      luck: [c.next(), c.next(), c.next(), c.next()],
    });
  });
  return docs;
}

type Relation = Pick<Doc, 'type' | 'parent' | 'routing'>;

/** A child of any item, also of one that comes later or never; or a child of a child. */
function relationOf(c: Chance, docs: readonly Doc[], count: number, prefix: string): Relation {
  const children = docs.filter(({ type }) => type === 'child');
  if (children.length > 0 && c.chance(0.2)) {
    const { id, parent } = c.of(children);
    return { type: 'grand', parent: id, routing: parent! };
  }
  return { type: 'child', parent: `${c.chance(0.2) ? prefix : ''}${c.below(count)}` };
}

/** A field is in all documents, in most, or in hardly any, as the world has drawn. */
function present(c: Chance, presence: Map<string, number>, field: string): boolean {
  let p = presence.get(field);
  if (p === undefined) {
    p = c.of([1, 0.9, 0.8, 0.5, 0.2, 0.03]);
    presence.set(field, p);
  }
  return c.chance(p);
}

function fill(
  c: Chance,
  presence: Map<string, number>,
  prefix: string,
  fields: readonly string[],
): JsonObject {
  const out: JsonObject = {};
  for (const field of fields) {
    if (!present(c, presence, prefix + field)) continue;
    const shape = c.next();
    if (shape < 0.75) out[field] = fieldValue(c, field);
    else if (shape < 0.95 || field === 'spot') out[field] = c.many(1, 3, () => fieldValue(c, field));
    else out[field] = c.of<Json>([null, [null, fieldValue(c, field)], []]);
  }
  return out;
}

const SHAPES: readonly ((lon: number, lat: number) => JsonObject)[] = [
  (lon, lat) => ({ type: 'point', coordinates: [lon, lat] }),
  (lon, lat) => ({
    type: 'envelope',
    coordinates: [
      [lon - 2, lat + 2],
      [lon + 2, lat - 2],
    ],
  }),
];

export function shape(c: Chance): JsonObject {
  const { lat, lon } = place(c);
  return c.of(SHAPES)(lon * 0.9, lat);
}

const ITEM_FIELDS = [
  'title',
  'body',
  'tag',
  'code',
  'n',
  'small',
  'huge',
  'd',
  'when',
  'seen',
  'flag',
  'addr',
];

export function itemSource(c: Chance, presence: Map<string, number>): JsonObject {
  const out = fill(c, presence, '', [...ITEM_FIELDS, 'spot', 'scarce', 'loose']);
  if (present(c, presence, 'obj')) out.obj = fill(c, presence, 'obj.', ['note', 'count']);
  if (c.chance(0.15)) out.body = text(c, 60);
  if (c.chance(0.05)) out.area = shape(c);
  if (c.chance(0.3)) out.auto = { input: [c.early(WORDS), text(c, 2)], weight: c.below(9) };
  if (c.chance(0.3)) out.around = { input: [c.early(WORDS), text(c, 2)], weight: c.below(9) };
  if (present(c, presence, 'kids')) out.kids = c.many(0, 3, () => kid(c, presence));
  return out;
}

function kid(c: Chance, presence: Map<string, number>): JsonObject {
  const out = fill(c, presence, 'kids.', ['name', 'tag', 'age', 'weight', 'born']);
  if (present(c, presence, 'kids.toys'))
    out.toys = c.many(0, 3, () => fill(c, presence, 'kids.toys.', ['label', 'kind', 'cost']));
  return out;
}

function relativeSource(c: Chance, presence: Map<string, number>, type: string): JsonObject {
  return fill(c, presence, `${type}.`, ['note', 'tag', 'n', 'when']);
}
