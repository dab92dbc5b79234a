/** Ways in which the documents of one logical index can come to lie in segments. */
import { type JsonObject, toJson } from './json.js';
import type { Doc, World } from './world.js';

/** What layouts may change in answers; rules.ts says which answers. */
export interface Layout {
  name: string;
  shards: number;
  /** Whether its shards are of one segment, unless they are empty. */
  single: boolean;
  /** Deleted documents are still in its segments. */
  deleted: boolean;
  /** When what happens; steps of the same time in the order that they are listed in. */
  steps(world: World): Timed[];
}

/**
 * Something that is done to an index; `restart` opens it anew from its storage, `crash` does so without an end, and `restore`
 * takes a snapshot that comes in its place.
 */
export type Step =
  | { put: Doc; source: JsonObject }
  | { remove: Doc }
  | 'refresh'
  | 'flush'
  | 'merge'
  | 'reopen'
  | 'restore'
  | 'restart'
  | 'crash';

interface Timed {
  at: number;
  step: Step;
}

function puts({ docs }: World): Timed[] {
  return docs.map((doc, i) => ({ at: i, step: { put: doc, source: doc.source } }));
}

/** A refresh after some documents. */
function refreshes({ docs, refreshes }: World, step: Step = 'refresh'): Timed[] {
  return docs.flatMap(({ luck }, i) => (luck[0]! < refreshes ? [{ at: i + 0.5, step }] : []));
}

/** Documents that were others before, and some that are there no more; the order of those that stay is as without. */
function replacements({ docs, extras }: World): Timed[] {
  const before = docs.flatMap((doc, i) => {
    const [, chance, first, second] = doc.luck as [number, number, number, number];
    const put = (at: number) => ({ at: Math.floor(at * i) - 0.6, step: { put: doc, source: doc.earlier } });
    if (chance < 0.1)
      return [
        { at: put(first).at, step: { put: doc, source: doc.earlier } },
        { at: i - 0.4, step: { remove: doc } },
      ];
    return chance < 0.4 ? [put(first)] : chance < 0.5 ? [put(first), put(second)] : [];
  });
  const gone = extras.flatMap((doc) => {
    const [, chance, first, second] = doc.luck as [number, number, number, number];
    const at = Math.floor(first * docs.length);
    const until = chance < 0.3 ? at : chance < 0.6 ? docs.length : at + second * (docs.length - at);
    return [
      { at: at - 0.6, step: { put: doc, source: doc.source } },
      { at: until + 0.6, step: { remove: doc } },
    ];
  });
  return [...before, ...gone];
}

/** A share of the refreshes of a world are flushes instead, which write what a restart reads. */
function flushes(world: World): Timed[] {
  return refreshes(world)
    .filter(({ at }) => world.docs[Math.floor(at)]!.luck[2]! < 0.3)
    .map(({ at }) => ({ at, step: 'flush' }));
}

const end = (...steps: Step[]): Timed[] => steps.map((step) => ({ at: Number.MAX_VALUE, step }));

const scattered = (world: World) => [...puts(world), ...refreshes(world)];
const rewritten = (world: World) => [...replacements(world), ...scattered(world)];

/** What the others are compared with. */
export const REFERENCE: Layout = {
  name: 'one segment',
  shards: 1,
  single: true,
  deleted: false,
  steps: (world) => [...puts(world), ...end('refresh')],
};

export const LAYOUTS: readonly Layout[] = [
  {
    name: 'many segments',
    shards: 1,
    single: false,
    deleted: false,
    steps: (world) => [...scattered(world), ...end('refresh')],
  },
  {
    name: 'many segments, closed and opened',
    shards: 1,
    single: false,
    deleted: false,
    steps: (world) => [...scattered(world), ...end('flush', 'reopen')],
  },
  {
    name: 'with deleted documents',
    shards: 1,
    single: false,
    deleted: true,
    steps: (world) => [...rewritten(world), ...end('refresh')],
  },
  {
    name: 'with deleted documents, merged',
    shards: 1,
    single: true,
    deleted: false,
    steps: (world) => [...rewritten(world), ...end('refresh', 'merge')],
  },
  {
    name: 'with deleted documents, restarted',
    shards: 1,
    single: false,
    deleted: true,
    steps: (world) => [...rewritten(world), ...end('refresh', 'restart')],
  },
  {
    name: 'with deleted documents, restored',
    shards: 1,
    single: false,
    deleted: true,
    steps: (world) => [...rewritten(world), ...end('refresh', 'restore')],
  },
  {
    name: 'with deleted documents, after a crash',
    shards: 1,
    single: false,
    deleted: true,
    steps: (world) => [...rewritten(world), ...flushes(world), ...end('crash', 'refresh')],
  },
  {
    name: 'three shards',
    shards: 3,
    single: false,
    deleted: false,
    steps: (world) => [...scattered(world), ...end('refresh')],
  },
  {
    name: 'two shards with deleted documents',
    shards: 2,
    single: false,
    deleted: true,
    steps: (world) => [...rewritten(world), ...end('refresh')],
  },
];

/** A request that makes a layout; a `restart` is none. */
export type Sent = { method: string; uri: string; body?: string } | 'restart' | 'crash';

/** The name that the index has in every layout. */
export const INDEX = 'i';
/** The name under which some of its documents are seen. */
export const ALIAS = 'some';

function uriOf({ type, id, parent, routing }: Doc): JsonObject {
  return {
    _type: type,
    _id: id,
    ...(parent === undefined ? {} : { _parent: parent }),
    ...(routing === undefined ? {} : { _routing: routing }),
  };
}

/** The requests that make a layout: what is written between two refreshes is one bulk. */
export function requestsOf(world: World, layout: Layout): Sent[] {
  const settings = { ...world.settings, number_of_shards: layout.shards };
  const aliases = { [ALIAS]: { filter: world.alias } };
  const sent: Sent[] = [
    { method: 'PUT', uri: `/${INDEX}`, body: toJson({ settings, mappings: world.mappings, aliases }) },
  ];
  let lines: string[] = [];
  const post = (path: string) => sent.push({ method: 'POST', uri: `/${INDEX}/${path}` });
  const steps = layout.steps(world).sort((a, b) => a.at - b.at);
  for (const { step } of steps) {
    if (typeof step === 'object') {
      if ('remove' in step) lines.push(toJson({ delete: uriOf(step.remove) }));
      else lines.push(toJson({ index: uriOf(step.put) }), toJson(step.source));
      continue;
    }
    if (lines.length > 0)
      sent.push({ method: 'POST', uri: `/${INDEX}/_bulk`, body: `${lines.join('\n')}\n` });
    lines = [];
    if (step === 'restart' || step === 'crash') sent.push(step);
    else if (step === 'merge') post('_optimize?max_num_segments=1');
    else if (step === 'reopen') {
      post('_close');
      post('_open');
    } else if (step === 'restore') {
      const repository = toJson({ type: 'fs', settings: { location: 'r' } });
      sent.push({ method: 'PUT', uri: '/_snapshot/r', body: repository });
      sent.push({ method: 'PUT', uri: '/_snapshot/r/s?wait_for_completion=true' });
      sent.push({ method: 'DELETE', uri: `/${INDEX}` });
      sent.push({ method: 'POST', uri: '/_snapshot/r/s/_restore?wait_for_completion=true' });
    } else post(`_${step}`);
  }
  return sent;
}
