/** What was written to the documents of a cluster by many clients at once, and what that has to come to. */

export type WriteKind = 'index' | 'create' | 'update' | 'delete';

/** A write that was sent. */
export interface Write {
  readonly key: string;
  readonly kind: WriteKind;
  /** Names the write; the document has it as its field `n`. */
  readonly n: number;
  /** The version that it was told to find. */
  readonly expected: number | undefined;
  readonly asked: number;
  /** The version that it was acknowledged with, and when. */
  version?: number;
  answered?: number;
}

/** A document as a node has it. */
export interface Found {
  readonly version: number;
  readonly n: number;
}

/** All writes to one document. */
interface Document {
  readonly writes: Write[];
  /** By version, those that were acknowledged. */
  readonly versions: Map<number, Write>;
  /** The largest version that was acknowledged. */
  newest: number;
  /** Writes of which nobody knows whether they were carried out. */
  open: number;
}

/** The history of all documents. It takes that no deletion is forgotten while it goes on (`gc_deletes`). */
export class History {
  readonly #documents = new Map<string, Document>();
  readonly problems: string[] = [];
  acknowledged = 0;
  refused = 0;
  unanswered = 0;
  #writes = 0;

  keys(): string[] {
    return [...this.#documents.keys()];
  }

  /** A write is about to be sent. */
  ask(key: string, kind: WriteKind, expected?: number): Write {
    const write: Write = { key, kind, n: ++this.#writes, expected, asked: performance.now() };
    const document = this.#document(key);
    document.writes.push(write);
    document.open++;
    return write;
  }

  /** It was carried out, as it was answered. */
  acknowledge(write: Write, version: number): void {
    const document = this.#document(write.key);
    this.acknowledged++;
    document.open--;
    write.version = version;
    write.answered = performance.now();
    const other = document.versions.get(version);
    if (other)
      this.#problem(write, `version ${version} was acknowledged for write ${other.n} (${other.kind}) too`);
    document.versions.set(version, write);
    if (write.expected !== undefined && version !== write.expected + 1)
      this.#problem(write, `was told to find version ${write.expected}, and became ${version}`);
    const before = document.versions.get(version - 1);
    if (write.kind === 'create' && before && before.kind !== 'delete')
      this.#problem(write, `created version ${version} over write ${before.n} (${before.kind})`);
    if (write.kind === 'update' && (version === 1 || before?.kind === 'delete'))
      this.#problem(write, `updated version ${version - 1}, which isn't there`);
    document.newest = Math.max(document.newest, version);
  }

  /** It was refused: it must not have happened. */
  refuse(write: Write): void {
    const document = this.#document(write.key);
    this.refused++;
    document.open--;
    document.writes.splice(document.writes.indexOf(write), 1);
  }

  /** Nobody knows what became of it. */
  giveUp(_write: Write): void {
    this.unanswered++;
  }

  /** The largest version that was acknowledged by now: what is asked from now on must see it, or a later one. */
  floor(key: string): number {
    return this.#documents.get(key)?.newest ?? 0;
  }

  /** What a node answered to a question for a document that was sent when `floor` was so. */
  read(key: string, floor: number, found: Found | undefined, where: string): void {
    const document = this.#document(key);
    if (!found) {
      if (floor > 0 && !this.#mayBeGone(document, floor))
        this.problems.push(`${key}: ${where} has nothing, after version ${floor} was acknowledged`);
      return;
    }
    if (found.version < floor)
      this.problems.push(`${key}: ${where} has version ${found.version} after ${floor} was acknowledged`);
    this.#fits(key, document, found, where);
  }

  /** What a node has when nothing is under way any more. */
  settle(key: string, found: Found | undefined, where: string): void {
    this.read(key, this.floor(key), found, where);
    const document = this.#document(key);
    if (!found) return;
    const acknowledged = [...document.versions.keys()].filter((version) => version <= found.version).length;
    if (found.version > acknowledged + document.open)
      this.problems.push(
        `${key}: ${where} has version ${found.version}, more than ${acknowledged} acknowledged and ${document.open} open writes make: some were carried out twice`,
      );
  }

  /** All writes to a document, in words. */
  describe(key: string): string[] {
    return this.#document(key).writes.map(({ kind, n, expected, asked, answered, version }) =>
      [
        `${n} ${kind}${expected === undefined ? '' : ` after ${expected}`} at ${Math.round(asked)}`,
        version === undefined ? 'open' : `is ${version} at ${Math.round(answered!)}`,
      ].join(': '),
    );
  }

  /** Versions were acknowledged in the order in which writes followed each other. */
  checkOrder(): void {
    for (const [key, { versions }] of this.#documents) {
      const writes = [...versions.values()].sort((a, b) => a.asked - b.asked);
      // The largest version of all that had been answered before a write was sent.
      const byAnswer = [...writes].sort((a, b) => a.answered! - b.answered!);
      let at = 0;
      let largest: Write | undefined;
      for (const write of writes) {
        for (; at < byAnswer.length && byAnswer[at]!.answered! < write.asked; at++)
          if (!largest || byAnswer[at]!.version! > largest.version!) largest = byAnswer[at];
        if (largest && largest.version! > write.version!)
          this.problems.push(
            `${key}: write ${write.n} got version ${write.version}, though it was sent after ${largest.n} had been acknowledged as ${largest.version}`,
          );
      }
    }
  }

  #mayBeGone(document: Document, floor: number): boolean {
    return document.writes.some(
      ({ kind, version }) => kind === 'delete' && (version === undefined || version >= floor),
    );
  }

  /** The version is that of the write whose content is there. */
  #fits(key: string, document: Document, { version, n }: Found, where: string): void {
    const write = document.writes.find((each) => each.n === n);
    const known = document.versions.get(version);
    if (!write) this.problems.push(`${key}: ${where} has write ${n}, which was refused or never sent`);
    else if (write.version !== undefined && write.version !== version)
      this.problems.push(`${key}: ${where} has write ${n} as version ${version}, not ${write.version}`);
    else if (known && known.n !== n)
      this.problems.push(
        `${key}: ${where} has write ${n} as version ${version}, which was acknowledged for ${known.n}`,
      );
  }

  #problem({ key, kind, n }: Write, what: string): void {
    this.problems.push(`${key}: write ${n} (${kind}) ${what}`);
  }

  #document(key: string): Document {
    let document = this.#documents.get(key);
    if (!document) {
      document = { writes: [], versions: new Map(), newest: 0, open: 0 };
      this.#documents.set(key, document);
    }
    return document;
  }
}

/** A thing of the metadata that one client changes, value after value. */
export class Values {
  readonly name: string;
  /** What it may be: the last value that was acknowledged, and those since of which nobody knows. */
  #possible: Set<string>;

  constructor(name: string, initial: string) {
    this.name = name;
    this.#possible = new Set([initial]);
  }

  /** Before a value is asked for. */
  ask(value: string): void {
    this.#possible.add(value);
  }

  acknowledge(value: string): void {
    this.#possible = new Set([value]);
  }

  /** What is wrong with a value that was found while nothing was under way. */
  problem(found: string): string | undefined {
    if (this.#possible.has(found)) return undefined;
    return `${this.name} is ${found}, and must be ${[...this.#possible].join(' or ')}`;
  }
}
