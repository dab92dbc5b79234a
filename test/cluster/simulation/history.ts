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

/** Collects events, and finds contradictions. */
export class History {
  readonly events: Event[] = [];
  #order = 0;

  /** A moment; each is later than all before. */
  moment(): number {
    return ++this.#order;
  }

  get acknowledged(): number {
    return this.events.filter(({ kind, outcome }) => kind !== 'read' && outcome === 'ok').length;
  }

  /** Whether the document that an event made may have been deleted by now. */
  mayBeDeleted({ id, version }: Event): boolean {
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
    return ids.flatMap((id) => this.#problemsOf(this.events.filter((event) => event.id === id)));
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
