/**
 * What was acknowledged, and what was asked for and never answered: after a crash each document and each register must
 * be as acknowledged, or as if some of the unanswered writes, in their order, had happened as well.
 */

/** A document: its newest version, and its source unless it is deleted. */
export interface State {
  version: number;
  source: Record<string, unknown> | undefined;
  /** When it was deleted, in milliseconds. */
  deletedAt?: number;
}

/** What a write makes of a document. */
export type Write =
  | { kind: 'index'; source: Record<string, unknown>; version?: number }
  | { kind: 'update'; doc: Record<string, unknown> }
  | { kind: 'delete' };

const NOTHING: State = { version: 0, source: undefined };
/** Versions of deletions are remembered for a minute from when they are carried out, which is not before they are asked for; after this either is right. */
const SURELY_REMEMBERED_MS = 59_000;

/** The state after a write that succeeds. @param asked when it was sent */
export function after(state: State, write: Write, asked: number): State {
  const version = state.version + 1;
  switch (write.kind) {
    case 'index':
      return { version: write.version ?? version, source: write.source };
    case 'update':
      return { version, source: { ...state.source, ...write.doc } };
    case 'delete':
      return { version, source: undefined, deletedAt: asked };
  }
}

/** A write that was sent, and when. */
interface Asked {
  write: Write;
  at: number;
}

interface Entry {
  state: State;
  open: Asked[];
  /** After a crash the version of a deletion may not be known. */
  unsure: boolean;
}

/** All documents, by index and id. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  acknowledged = 0;
  unanswered = 0;

  get size(): number {
    return this.#entries.size;
  }

  /** Every document that was ever written. */
  keys(): string[] {
    return [...this.#entries.keys()];
  }

  state(key: string): State {
    return this.#entries.get(key)?.state ?? NOTHING;
  }

  /** The state if all that is open succeeds. */
  expected(key: string): State {
    const entry = this.#entries.get(key);
    if (entry === undefined) return NOTHING;
    return entry.open.reduce((state, { write, at }) => after(state, write, at), entry.state);
  }

  /** A write is about to be sent. */
  ask(key: string, write: Write, now: number): void {
    const entry = this.#entry(key);
    entry.open.push({ write, at: now });
  }

  /** The oldest open write of a document was acknowledged with this version. Returns what is wrong with that. */
  acknowledge(key: string, version: number, now: number): string | undefined {
    const entry = this.#entry(key);
    const { write, at } = entry.open.shift()!;
    const wanted = after(entry.state, write, at);
    this.acknowledged++;
    const before = entry.state;
    entry.state = { ...wanted, version };
    const unsure = entry.unsure;
    entry.unsure = false;
    if (version === wanted.version || unsure) return undefined;
    const age = before.deletedAt === undefined ? 0 : now - before.deletedAt;
    if (before.source === undefined && version === 1 && age > SURELY_REMEMBERED_MS) return undefined;
    return `${key}: ${write.kind} was acknowledged as version ${version}, not ${wanted.version} (${age} ms)`;
  }

  /** The oldest open write of a document was refused: it must not happen. */
  refuse(key: string): void {
    this.#entry(key).open.shift();
  }

  /** The server is gone: what the store says of the document becomes true, if it can be. Returns what is wrong. */
  settle(
    key: string,
    found: { version: number; source: unknown } | undefined,
    now: number,
  ): string | undefined {
    const entry = this.#entry(key);
    const open = entry.open.splice(0);
    this.unanswered += open.length;
    const states = chain(entry.state, open);
    const { source: before, deletedAt = now } = entry.state;
    // The version of the deletion may have been forgotten before the first of these writes.
    if (before === undefined && now - deletedAt > SURELY_REMEMBERED_MS) states.push(...chain(NOTHING, open));
    const fits = states.filter((state) => same(state, found, entry.unsure));
    if (fits.length === 0) {
      const shown = states.map(({ version, source }) => `${version} ${JSON.stringify(source)}`).join(' or ');
      return `${key}: must be ${shown}; is ${JSON.stringify(found)}`;
    }
    const state = fits.at(-1)!;
    entry.unsure = found === undefined && (entry.unsure || fits.length > 1);
    entry.state = found === undefined ? state : { ...state, version: found.version };
    return undefined;
  }

  /** How many documents there must be. */
  live(index: string): string[] {
    return this.keys().filter((key) => key.startsWith(`${index}/`) && this.state(key).source !== undefined);
  }

  #entry(key: string): Entry {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { state: NOTHING, open: [], unsure: false };
      this.#entries.set(key, entry);
    }
    return entry;
  }
}

/** A state, and those after each of the writes. */
function chain(first: State, writes: readonly Asked[]): State[] {
  const states = [first];
  for (const { write, at } of writes) states.push(after(states.at(-1)!, write, at));
  return states;
}

function same(
  { version, source }: State,
  found: { version: number; source: unknown } | undefined,
  unsure: boolean,
): boolean {
  if (source === undefined || found === undefined) return source === found?.source;
  return (version === found.version || unsure) && sorted(source) === sorted(found.source);
}

function sorted(value: unknown): string {
  return JSON.stringify(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One thing of the metadata that is changed as a whole: after a crash it has the acknowledged value, or the one asked for. */
export class Register {
  readonly name: string;
  #value: string;
  #asked: string | undefined;

  constructor(name: string, value: string) {
    this.name = name;
    this.#value = value;
  }

  get value(): string {
    return this.#value;
  }

  ask(value: string): void {
    this.#asked = value;
  }

  acknowledge(): void {
    this.#value = this.#asked!;
    this.#asked = undefined;
  }

  refuse(): void {
    this.#asked = undefined;
  }

  /** Returns what is wrong with the value that the store has. */
  settle(found: string): string | undefined {
    const fits = [this.#value, this.#asked].includes(found);
    const shown = [this.#value, this.#asked].filter((value) => value !== undefined).join(' or ');
    this.#value = found;
    this.#asked = undefined;
    return fits ? undefined : `${this.name}: must be ${shown}; is ${found}`;
  }
}
