/** The fields that documents have and requests name, and values for them. */
import type { Chance } from './chance.js';
import type { Json } from './json.js';

/** What can be asked of the documents of a type, or of the objects at a path. */
export interface Scope {
  text: readonly string[];
  word: readonly string[];
  number: readonly string[];
  date: readonly string[];
  flag: readonly string[];
  ip: readonly string[];
  geo: readonly string[];
  /** Nested objects by path. */
  nested: Readonly<Record<string, Scope>>;
  /** Types of children, and of parents. */
  children: readonly string[];
  parents: readonly string[];
}

const NONE: Scope = {
  text: [],
  word: [],
  number: [],
  date: [],
  flag: [],
  ip: [],
  geo: [],
  nested: {},
  children: [],
  parents: [],
};

const TOYS: Scope = {
  ...NONE,
  text: ['kids.toys.label'],
  word: ['kids.toys.kind'],
  number: ['kids.toys.cost'],
};

const KIDS: Scope = {
  ...NONE,
  text: ['kids.name'],
  word: ['kids.tag'],
  number: ['kids.age', 'kids.weight'],
  date: ['kids.born'],
  nested: { 'kids.toys': TOYS },
};

export const SCOPES: Readonly<Record<string, Scope>> = {
  item: {
    text: ['title', 'body', 'obj.note', '_all'],
    word: ['tag', 'code', 'title.raw', 'loose'],
    number: ['n', 'd', 'huge', 'small', 'obj.count', 'scarce', 'seq', 'missing'],
    date: ['when', 'seen'],
    flag: ['flag'],
    ip: ['addr'],
    geo: ['spot'],
    nested: { kids: KIDS },
    children: ['child'],
    parents: [],
  },
  child: {
    ...NONE,
    text: ['note'],
    word: ['tag'],
    number: ['n', 'seq'],
    date: ['when'],
    children: ['grand'],
    parents: ['item'],
  },
  grand: { ...NONE, text: ['note'], word: ['tag'], number: ['n', 'seq'], parents: ['child'] },
};

/** Few words, so that documents share them; the first ones are in many. */
export const WORDS = 'red fox the running blue cup of tea moon runs sun Reds foxes été x1 zebra'.split(' ');
export const TAGS = ['a', 'b', 'c', 'dd', 'de', 'B', 'ä', '', 'x y'];
const NUMBERS = [0, 1, 2, 3, 5, 8, -1, -7, 100, 127];
const DOUBLES = [0, 0.5, 1.25, -2.75, 3, 10.5, 1024.125, -0.25];
/** Around the bounds of longs and of the whole numbers that doubles hold. */
const HUGE: Json[] = [
  1,
  -1,
  9007199254740991n,
  9007199254740992n,
  9007199254740993n,
  -9007199254740993n,
  1234567890123456789n,
  1234567890123456788n,
  9223372036854775807n,
  -9223372036854775808n,
];
const DATES = [
  '2014-01-01T00:00:00.000Z',
  '2014-01-31T23:59:59.999Z',
  '2014-03-30T01:30:00Z',
  '2015-06-01',
  '2014-01-02',
  '1969-12-31T12:00:00Z',
  1393632000000,
];
const IPS = ['10.0.0.1', '10.0.0.2', '10.0.1.7', '192.168.1.1', '255.255.255.255', '0.0.0.0'];
const PLACES = [
  [0, 0],
  [52.5, 13.4],
  [52.52, 13.41],
  [48.85, 2.35],
  [-33.9, 151.2],
  [40.7, -74],
  [10, 179.9],
  [10, -179.9],
] as const;

export function text(c: Chance, longest = 8): string {
  return c.many(1, longest, () => c.early(WORDS)).join(c.chance(0.9) ? ' ' : ', ');
}

export function place(c: Chance): { lat: number; lon: number } {
  const [lat, lon] = c.of(PLACES);
  return c.chance(0.5) ? { lat, lon } : { lat: lat + c.between(-8, 8) / 8, lon: lon * 0.75 };
}

/** A value of a field's kind. */
export function fieldValue(c: Chance, field: string): Json {
  const name = field.slice(field.lastIndexOf('.') + 1);
  switch (name) {
    case 'title':
    case 'body':
    case 'note':
    case 'name':
    case 'label':
    case '_all':
      return text(c, 4);
    case 'tag':
    case 'code':
    case 'kind':
      return c.early(TAGS);
    case 'raw':
    case 'loose':
      return c.early(WORDS);
    case 'huge':
      return c.of(HUGE);
    case 'd':
    case 'weight':
      return c.of(DOUBLES);
    case 'when':
    case 'seen':
    case 'born':
      return c.early(DATES);
    case 'flag':
      return c.chance(0.5);
    case 'addr':
      return c.of(IPS);
    case 'spot':
      return place(c);
    case 'seq':
      return c.below(60);
    default:
      return c.early(NUMBERS);
  }
}
