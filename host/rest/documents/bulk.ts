/**
 * Bulk: action lines and source lines in, one item of the answer per action out. A body is read twice: once to see that it can
 * be read to its end, since a line that can't refuses all of it, and once slice by slice while its actions are carried out. So a
 * request of any size holds its bytes, the actions of a few slices and the bytes of its answer, and never keeps others waiting.
 */
import { type ElasticsearchError, toElasticsearchError, validationFailed } from '../../errors.js';
import { parsedSize, SMALL_JSON } from '../../json/parsedSize.js';
import { bulkRefusal } from '../../engine/bulkRefusal.js';
import type { WantedCopies } from '../../engine/replicas.js';
import { applyUpdate, checkUpdate, readUpdate } from '../../engine/documentUpdate.js';
import type { UpdateScripts } from '../../engine/scriptedUpdate.js';
import type { Engine } from '../../engine/engine.js';
import { looksLikeJson } from '../../json/laxJson.js';
import type { IndexedOperation, OperationOutcome } from '../../engine/writing.js';
import { type BulkAction, BulkReader } from './bulkBody.js';
import { BulkItems } from './bulkItems.js';
import { notLines } from '../lines.js';
import { flag, json, type RestResponse, type RoutedRequest } from '../request.js';
import { type EndpointGroup, ofTypes } from '../endpoint.js';
import { tookSince } from '../took.js';
import { wantedCopies } from './writeParameters.js';

/** Actions that go to their shards in one turn, which 4,000 took 20 ms for, and the bytes of their sources. */
const SLICE_ACTIONS = 1000;
const SLICE_BYTES = 1024 * 1024;
/** Slices that are under way at once, several chunks of a shard: one is being decided while the one before is being made durable. */
const SLICES_AT_ONCE = 12;
/** Bytes of parsed updates that are kept from the first reading. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** Actions that are kept from the first reading; longer bodies are read again. */
const KEPT_ACTIONS = 20_000;
/** What an action and its item take while the request lasts, about. */
const ITEM_BYTES = 160;
/** Of what is missing in the lines of a body this much is told. */
const MAX_PROBLEMS = 1000;
/** Actions are read so many at a time, by functions that aren't asynchronous: V8 keeps the machine code of these. */
const RUN = 64;
/** Reading gives others a turn after that many milliseconds. */
const TURN_MS = 5;

export const bulkEndpoints: EndpointGroup = {
  name: 'Bulk',
  purpose: 'Many writes in one request, a line for each action.',
  tag: 'core',
  endpoints: [
    {
      methods: ['PUT', 'POST'],
      paths: ofTypes('/_bulk'),
      privilege: 'write',
      action: 'indices:data/write/bulk',
      pool: 'bulk',
      parameters: ['refresh', 'routing', 'consistency', 'timeout'],
      ignored: ['replication'],
      indicesInBody: 'bulk',
      handler: bulk,
    },
  ],
};

async function bulk(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const started = performance.now();
  if (!looksLikeJson(request.body)) throw notLines(request.body);
  const copies = wantedCopies(request.query);
  const pace = new RateEstimator(engine);
  const { kept, count } = await readAll(engine, request, pace);
  // Before anything is written: later it would be too late to refuse.
  const held = engine.breakers.hold('request', count * ITEM_BYTES, '<bulk>');
  try {
    return await carryOut(engine, request, { kept, copies, pace, started });
  } finally {
    held.release();
  }
}

async function carryOut(
  engine: Engine,
  request: RoutedRequest,
  {
    kept,
    copies,
    pace,
    started,
  }: {
    kept: BulkAction[] | undefined;
    copies: WantedCopies | undefined;
    pace: RateEstimator;
    started: number;
  },
): Promise<RestResponse> {
  const items = new BulkItems(request.query);
  const refresh = flag(request.query, 'refresh');
  const touched = new Map<string, { index: string; shard: number }>();
  const next = sourceOf(request, kept, engine.updateScripts);
  // Items are added in their order, whichever slice is done first.
  let added = Promise.resolve();
  const running: Promise<void>[] = [];
  for (;;) {
    const slice = await readSlice(next, pace);
    if (slice.length === 0) break;
    const [done] = await submit(engine, operationsOf(engine, slice, copies), () => added);
    added = added.then(async () => {
      const outcomes = await done;
      for (let i = 0; i < slice.length; i++) {
        const { index, shard } = outcomes[i]!;
        if (refresh && shard >= 0) touched.set(`${shard} ${index}`, { index, shard });
        items.add(slice[i]!, outcomes[i]!);
      }
    });
    added.catch(() => {});
    running.push(added);
    if (running.length >= SLICES_AT_ONCE) await running.shift();
  }
  await added;
  if (refresh) await engine.refreshTouched(touched.values());
  const { errors } = items;
  const took = tookSince(started);
  return json(request, 200, { took, errors, items: items.json() });
}

/** Reads a body to its end and checks it; returns how many actions it has, and if they are few the actions. */
async function readAll(
  engine: Engine,
  request: RoutedRequest,
  pace: RateEstimator,
): Promise<{ kept: BulkAction[] | undefined; count: number }> {
  const refusal = (action: BulkAction) => bulkRefusal(engine.cluster, action as IndexedOperation);
  const reading = new Reading(readerOf(request), refusal, engine.updateScripts);
  while (reading.some()) if (pace.due) await pace.turn();
  return reading.result();
}

/** A body on its way to its end. */
class Reading {
  readonly #reader: BulkReader;
  readonly #refusal: (action: BulkAction) => ElasticsearchError | undefined;
  /** Why nothing of the body is carried out although all of it could be read. */
  #refused: ElasticsearchError | undefined;
  readonly #scripts: UpdateScripts;
  readonly #missing: string[] = [];
  #withoutId = false;
  #kept: BulkAction[] | undefined = [];
  #count = 0;
  /** What the updates among them take in memory. */
  #parsed = 0;

  constructor(
    reader: BulkReader,
    refusal: (action: BulkAction) => ElasticsearchError | undefined,
    scripts: UpdateScripts,
  ) {
    this.#reader = reader;
    this.#refusal = refusal;
    this.#scripts = scripts;
  }

  /** Reads a few actions; returns whether there may be more to read. */
  some(): boolean {
    for (let i = 0; i < RUN; i++) {
      const action = this.#reader.next();
      if (action === undefined || !this.#add(action)) return false;
    }
    return true;
  }

  /** Returns whether the next one counts too. */
  #add(action: BulkAction): boolean {
    if (action.index === undefined) this.#missing.push('index is missing');
    if (action.type === undefined) this.#missing.push('type is missing');
    if (this.#missing.length > MAX_PROBLEMS) return false;
    this.#withoutId ||= action.id === undefined && (action.kind === 'delete' || action.kind === 'update');
    prepare(action, this.#scripts);
    if (action.timestamp !== undefined || action.parent !== undefined)
      this.#refused ??= this.#refusal(action);
    // What is parsed takes many times its bytes: little of it is kept.
    if (action.change !== undefined) this.#parsed += action.bytes;
    if (++this.#count > KEPT_ACTIONS || this.#parsed > KEPT_BYTES) this.#kept = undefined;
    this.#kept?.push(action);
    return true;
  }

  /** What was read; throws if it is nothing to carry out. */
  result(): { kept: BulkAction[] | undefined; count: number } {
    if (this.#count === 0) throw validationFailed('no requests added');
    if (this.#missing.length > 0) throw validationFailed(...this.#missing.slice(0, MAX_PROBLEMS));
    if (this.#withoutId) throw validationFailed('id is missing');
    if (this.#refused !== undefined) throw this.#refused;
    return { kept: this.#kept, count: this.#count };
  }
}

function readerOf({ body, path, query }: RoutedRequest): BulkReader {
  return new BulkReader(body, { index: path.index, type: path.type, routing: query.get('routing') });
}

/** Reads what an update asks for. */
function prepare(action: BulkAction, scripts: UpdateScripts): void {
  if (action.kind !== 'update') return;
  action.bytes = parsedSize(action.source!);
  const update = readUpdate(action.source!, NO_PARAMETERS);
  checkUpdate(update, action.version, action.versionType ?? 'internal', action.retries);
  action.source = undefined;
  action.change = (current, place) => applyUpdate(update, current, { ...place, shard: NO_SHARD }, scripts);
}

/** The actions one after the other: those that were kept, or the body's once more. */
function sourceOf(
  request: RoutedRequest,
  kept: BulkAction[] | undefined,
  scripts: UpdateScripts,
): () => BulkAction | undefined {
  if (kept !== undefined) {
    let at = 0;
    return () => kept[at++];
  }
  const reader = readerOf(request);
  return () => {
    const action = reader.next();
    if (action !== undefined) prepare(action, scripts);
    return action;
  };
}

async function readSlice(next: () => BulkAction | undefined, pace: RateEstimator): Promise<BulkAction[]> {
  const slice: Slice = { actions: [], bytes: 0 };
  while (fill(slice, next)) if (pace.due) await pace.turn();
  return slice.actions;
}

/** Actions that are carried out together, and the bytes of their sources. */
interface Slice {
  actions: BulkAction[];
  bytes: number;
}

/** Adds a few actions to a slice; returns whether it may take more. */
function fill(slice: Slice, next: () => BulkAction | undefined): boolean {
  const { actions } = slice;
  for (let i = 0; i < RUN; i++) {
    if (actions.length >= SLICE_ACTIONS || slice.bytes >= SLICE_BYTES) return false;
    const action = next();
    if (action === undefined) return false;
    actions.push(action);
    slice.bytes += action.bytes;
  }
  return true;
}

/** Hands a slice to its shards; where there is no room for it beside others, each of its items says so. */
async function submit(
  engine: Engine,
  operations: readonly IndexedOperation[],
  before: () => Promise<void>,
): Promise<[Promise<OperationOutcome[]>]> {
  try {
    return [(await submitHeld(engine, operations)).done];
  } catch {
    // What takes the room may be the slices before this one.
    await before();
  }
  try {
    return [(await submitHeld(engine, operations)).done];
  } catch (e) {
    const result = toElasticsearchError(e);
    return [Promise.resolve(operations.map(({ index }) => ({ index, shard: -1, result })))];
  }
}

/** The same, with the memory held that large sources take when they are parsed. */
async function submitHeld(
  engine: Engine,
  operations: readonly IndexedOperation[],
): Promise<{ done: Promise<OperationOutcome[]> }> {
  let parsed = 0;
  for (const { source } of operations)
    if (source !== undefined && source.length >= SMALL_JSON) parsed += parsedSize(source);
  const held = engine.breakers.hold('request', parsed, '<bulk>');
  try {
    const { done } = await engine.submit(operations);
    return { done: done.finally(() => held.release()) };
  } catch (e) {
    held.release();
    throw e;
  }
}

/** The actions themselves, which are complete: those that came without an id get one. */
function operationsOf(
  engine: Engine,
  slice: readonly BulkAction[],
  copies: WantedCopies | undefined,
): readonly IndexedOperation[] {
  for (const action of slice) action.id ??= engine.idFor(action.index!, action.type!, action.source!);
  const operations = slice as readonly IndexedOperation[];
  return copies === undefined ? operations : operations.map((operation) => ({ ...operation, copies }));
}

/** What 1.7 calls the shard of an update in a bulk. */
const NO_SHARD = -1;
const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** When it is time to give others a turn. */
class RateEstimator {
  readonly #engine: Engine;
  #ends = performance.now() + TURN_MS;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Whether it is. */
  get due(): boolean {
    return performance.now() > this.#ends;
  }

  async turn(): Promise<void> {
    await this.#engine.turn();
    this.#ends = performance.now() + TURN_MS;
  }
}
