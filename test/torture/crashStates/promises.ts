/** What a program was promised, and so what may be found under each name after a power cut. */

/** What may be there under a name. */
interface Promised {
  /** What was acknowledged last, and what was tried since. */
  values: string[];
  /** Acknowledged, but not durable for certain. */
  late: string | undefined;
  /** That of a document, as it was acknowledged. */
  version: number;
}

/** What is found; a name that isn't there has nothing. */
export type Found = Map<string, { value: string; version?: number }>;

export const NONE = 'none';

/** All that a program has told by some moment: lines of programs.mjs. */
export class Promises {
  readonly #names = new Map<string, Promised>();
  /** What is late, in its order. */
  #late: { name: string; value: string; before: string }[] = [];

  constructor(lines: readonly string[]) {
    for (const line of lines) {
      const [verb, name, value, version] = line.split(' ');
      if (name === undefined || value === undefined || verb === 'warn') continue;
      this.#tell(verb!, name, value, Number(version ?? 0));
    }
  }

  #tell(verb: string, name: string, value: string, version: number): void {
    if (name === 'all') {
      this.#settle();
      return;
    }
    let promised = this.#names.get(name);
    if (promised === undefined) {
      promised = { values: [NONE], late: undefined, version: 0 };
      this.#names.set(name, promised);
    }
    if (verb === 'try') promised.values.push(value);
    if (verb === 'late') {
      this.#late.push({ name, value, before: promised.late ?? promised.values[0]! });
      promised.late = value;
    }
    if (verb === 'done') {
      promised.late = undefined;
      promised.values = [value];
      promised.version = version;
      this.#settle();
    }
  }

  /** All that was late is durable. */
  #settle(): void {
    for (const { name } of this.#late) {
      const promised = this.#names.get(name)!;
      if (promised.late !== undefined)
        promised.values = promised.values.slice(promised.values.lastIndexOf(promised.late));
      promised.late = undefined;
    }
    this.#late = [];
  }

  /** Names that begin so. */
  names(kind: string): string[] {
    return [...this.#names.keys()].filter((name) => name.startsWith(kind));
  }

  /** All that was tried, or may be there since the time before. */
  tried(name: string): readonly string[] {
    return this.#names.get(name)?.values ?? [];
  }

  /** Whether something is there for certain. */
  isThere(name: string): boolean {
    const values = this.#names.get(name)?.values ?? [NONE];
    return values.length === 1 && values[0] !== NONE;
  }

  /** What is wrong with what is found under names of a kind. */
  problems(kind: string, found: Found, isLeftOut: (name: string) => boolean = () => false): string[] {
    const problems: string[] = [];
    for (const name of this.names(kind)) {
      if (isLeftOut(name)) continue;
      const { values, version } = this.#names.get(name)!;
      const { value, version: own } = found.get(name) ?? { value: NONE };
      if (!values.includes(value)) problems.push(`${name}: must be ${values.join(' or ')}; is ${value}`);
      else if (own !== undefined && (value === values[0] && version > 0 ? own !== version : own <= version))
        problems.push(
          `${name}: ${value} has the version ${own}; acknowledged was ${version} of ${values[0]}`,
        );
    }
    for (const name of found.keys())
      if (name.startsWith(kind) && !this.#names.has(name)) problems.push(`${name}: nobody has written it`);
    const late = this.#late.filter(({ name }) => name.startsWith(kind) && !isLeftOut(name));
    const states = Array.from({ length: late.length + 1 }, (_, count) => stateAfter(late, count));
    const isState = (state: Map<string, string>, isLast: boolean) =>
      [...state].every(([name, value]) => {
        const is = found.get(name)?.value ?? NONE;
        return is === value || (isLast && this.#names.get(name)!.values.lastIndexOf(is) > 0);
      });
    if (!states.some((state, i) => isState(state, i === late.length)))
      problems.push(
        `late writes are there without those before them: ${late.map(({ name }) => name).join(', ')}`,
      );
    return problems;
  }
}

/** The names of late writes after the first of them. */
function stateAfter(late: readonly { name: string; value: string; before: string }[], count: number) {
  const state = new Map<string, string>();
  for (const { name, before } of late) if (!state.has(name)) state.set(name, before);
  for (const { name, value } of late.slice(0, count)) state.set(name, value);
  return state;
}
