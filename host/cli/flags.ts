/** Words and flags of a command, as they are typed: `--name value`, `--name=value`, `--name`; `-` is a word, all behind `--` are words. */

/** What was typed is no use of the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Flags of a command by their names without dashes. */
export interface FlagNames {
  /** Those with a value. */
  valued: readonly string[];
  /** Those without. */
  plain: readonly string[];
  /** Letters that stand for names: `{ o: 'output' }`. */
  short?: Readonly<Record<string, string>>;
}

/** What was typed. */
export class Flags {
  readonly words: string[] = [];
  readonly #values = new Map<string, string>();
  readonly #plain = new Set<string>();

  /** Throws {@link UsageError} at a flag that the command doesn't have, or one without its value. */
  constructor(args: readonly string[], { valued, plain, short = {} }: FlagNames) {
    for (let i = 0; i < args.length; i++) {
      const arg = args[i]!;
      if (arg === '--') {
        this.words.push(...args.slice(i + 1));
        return;
      }
      if (!arg.startsWith('-') || arg === '-') {
        this.words.push(arg);
        continue;
      }
      const at = arg.startsWith('--') ? arg.indexOf('=') : -1;
      const typed = at < 0 ? arg : arg.slice(0, at);
      const name = typed.startsWith('--') ? typed.slice(2) : short[typed.slice(1)];
      if (name !== undefined && plain.includes(name) && at < 0) {
        this.#plain.add(name);
        continue;
      }
      if (name === undefined || !valued.includes(name)) throw new UsageError(`unknown argument ${arg}`);
      const value = at < 0 ? args[++i] : arg.slice(at + 1);
      if (value === undefined || value === '') throw new UsageError(`${typed} needs a value`);
      this.#values.set(name, value);
    }
  }

  /** Whether a flag without a value is there. */
  has(name: string): boolean {
    return this.#plain.has(name);
  }

  /** A flag's value; the last, where it is there several times. */
  value(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** A number of a flag, `otherwise` without it. Throws {@link UsageError} if it is none of the range. */
  number(name: string, least: number, most: number, otherwise: number): number {
    const text = this.#values.get(name);
    if (text === undefined) return otherwise;
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= least && number <= most))
      throw new UsageError(`--${name} must be a number from ${least} to ${most}, not ${text}`);
    return number;
  }
}

/** Whether help is asked for. */
export function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
}
