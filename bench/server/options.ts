/** A number that the command line gives, `--name 5`. */
export function option(args: readonly string[], name: string, otherwise: number): number {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(args[at + 1]);
}

/** The seed that it gives, or a new one; told on stderr, so that a run can be repeated. */
export function seedOption(args: readonly string[]): number {
  const seed = option(args, 'seed', Math.floor(Math.random() * 2 ** 31));
  process.stderr.write(`--seed ${seed}\n`);
  return seed;
}

/** A text that it gives. */
export function textOption(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? undefined : args[at + 1];
}

/** The one in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
