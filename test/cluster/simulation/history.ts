/** What clients were told, and whether it can all be true at once. */

/** One request for one document, or what a search showed of it. */
export interface Event {
  id: string;
  kind: 'write' | 'delete' | 'read';
  /** In milliseconds, and the order of what happened within one. */
  began: number;
  /** Infinity while nothing is known of its end. */
  ended: number;
  /** What the document holds then, by the name of its write. */
  token: string | undefined;
  /** Undefined where none was acknowledged, or none found. */
  version: number | undefined;
  outcome: 'ok' | 'refused' | 'unknown' | 'missing';
  by: string;
  /** Of a write that only a document without, or with a version, admits: null, or that version. */
  on?: number | null;
}

/** While an index was closed, for all that clients know: from when that was acknowledged until somebody asked to open it. */
interface Closed {
  index: string;
  from: number;
  to: number;
}

/** Collects events, and finds contradictions. */
export class History {
  readonly events: Event[] = [];
  readonly #closed: Closed[] = [];
  /** Requests to open an index that may still be carried out. */
  readonly #opening = new Map<string, number>();
  #order = 0;

  /** A moment; each is later than all before. */
  moment(): number {
    return ++this.#order;
  }

  /** An index is about to be closed; `done` is called when that is acknowledged. */
  closing(index: string): { done(): void } {
    const closed = { index, from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY };
    // Somebody may open it again meanwhile.
    if (!this.#opening.has(index)) this.#closed.push(closed);
    return {
      done: () => {
        closed.from = this.moment();
      },
    };
  }

  /** Somebody is about to ask for an index to be opened; `done` is called when that is acknowledged. One that isn't may come at any time. */
  opening(index: string): { done(): void } {
    const now = this.moment();
    for (const closed of this.#closed) if (closed.index === index) closed.to = Math.min(closed.to, now);
    this.#opening.set(index, 1 + (this.#opening.get(index) ?? 0));
    return {
      done: () => {
        const left = this.#opening.get(index)! - 1;
        if (left > 0) this.#opening.set(index, left);
        else this.#opening.delete(index);
      },
    };
  }

  /** Writes that were acknowledged, and made, while their index was closed. */
  #problemsOfClosed(): string[] {
    return this.events.flatMap((event) => {
      const isWritten = event.kind !== 'read' && event.outcome === 'ok';
      const closed = this.#closed.find(
        ({ index, from, to }) => event.id.startsWith(`/${index}/`) && event.began > from && event.ended < to,
      );
      return isWritten && closed !== undefined
        ? [
            `a write was acknowledged while its index was closed (${closed.from}-${closed.to}): ${shown(event)}`,
          ]
        : [];
    });
  }

  get acknowledged(): number {
    return this.events.filter(({ kind, outcome }) => kind !== 'read' && outcome === 'ok').length;
  }

  /** Whether the document that an event made may have been deleted by now. */
  mayBeDeleted({ id, version }: Pick<Event, 'id' | 'version'>): boolean {
    return this.events.some(
      (event) =>
        event.id === id &&
        event.kind === 'delete' &&
        event.outcome !== 'refused' &&
        (event.version === undefined || event.version > version!),
    );
  }

  /** What can't be, a line for each; none where all is well. */
  problems(): string[] {
    const ids = [...new Set(this.events.map(({ id }) => id))];
    const ofDocuments = ids.flatMap((id) => this.#problemsOf(this.events.filter((event) => event.id === id)));
    return [...ofDocuments, ...this.#problemsOfClosed()];
  }

  #problemsOf(events: readonly Event[]): string[] {
    const problems: string[] = [];
    const changes = events.filter(({ kind }) => kind !== 'read');
    const acknowledged = changes.filter(({ outcome }) => outcome === 'ok');
    const byVersion = new Map<number, Event>();
    for (const event of acknowledged) {
      const other = byVersion.get(event.version!);
      if (other !== undefined)
        problems.push(`one version was given twice: ${shown(other)} and ${shown(event)}`);
      byVersion.set(event.version!, event);
      if (typeof event.on === 'number' && event.version !== event.on + 1)
        problems.push(`a write for version ${event.on} replaced another one: ${shown(event)}`);
      for (const before of acknowledged)
        if (before.ended < event.began && before.version! >= event.version!)
          problems.push(`a later write has no later version: ${shown(before)}, then ${shown(event)}`);
    }
    for (const event of acknowledged) {
      const replaced = byVersion.get(event.version! - 1);
      if (event.on === null && replaced?.kind === 'write')
        problems.push(`a document was created that was there: ${shown(replaced)}, then ${shown(event)}`);
    }
    for (const read of events.filter(({ kind, outcome }) => kind === 'read' && outcome !== 'unknown')) {
      const before = acknowledged.filter(({ ended }) => ended < read.began);
      const newest = Math.max(0, ...before.map(({ version }) => version!));
      if (read.outcome === 'missing') {
        const isDeleted = byVersion.get(newest)?.kind !== 'write';
        const mayBe = changes.some(
          ({ kind, outcome, began, version }) =>
            kind === 'delete' &&
            outcome !== 'refused' &&
            began < read.ended &&
            (version === undefined || version > newest),
        );
        if (!isDeleted && !mayBe)
          problems.push(`an acknowledged write is gone: ${shown(byVersion.get(newest)!)}, ${shown(read)}`);
        continue;
      }
      if (read.version! < newest)
        problems.push(
          `a read is older than what was acknowledged: ${shown(byVersion.get(newest)!)}, ${shown(read)}`,
        );
      const wrote = byVersion.get(read.version!);
      if (wrote !== undefined && wrote.token !== read.token)
        problems.push(`a version has two contents: ${shown(wrote)}, ${shown(read)}`);
      const from = changes.find(({ token }) => token === read.token);
      if (from?.outcome === 'ok' && from.version !== read.version)
        problems.push(`one write has two versions: ${shown(from)}, ${shown(read)}`);
      if (from === undefined || from.began > read.ended || from.outcome === 'refused')
        problems.push(
          `nobody wrote what was read: ${shown(read)}${from === undefined ? '' : `, ${shown(from)}`}`,
        );
    }
    return problems;
  }
}

function shown({ id, kind, began, ended, token, version, outcome, by }: Event): string {
  return `${kind} ${id} v${version ?? '-'} ${token ?? '-'} ${outcome} by ${by} (${began}-${ended})`;
}
