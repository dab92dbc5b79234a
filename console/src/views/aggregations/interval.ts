/** Intervals for a histogram that hasn't got one: some thirty buckets, at round numbers. */

const BUCKETS = 30;
const UNITS: readonly [name: string, ms: number][] = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
  ['week', 604_800_000],
  ['month', 2_629_800_000],
  ['quarter', 7_889_400_000],
  ['year', 31_557_600_000],
];

/** 1, 2 or 5 times a power of ten. */
export function roundInterval(min: number, max: number): number {
  const raw = (max - min) / BUCKETS;
  if (!(raw > 0) || !Number.isFinite(raw)) return 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 5].find((each) => each * power >= raw) ?? 10;
  // Powers below one have no exact double: digits are cut to those that count.
  return Number((factor * power).toPrecision(1));
}

/** @param min, max milliseconds since 1970 */
export function calendarInterval(min: number, max: number): string {
  const raw = (max - min) / (2 * BUCKETS);
  return (UNITS.find(([, ms]) => ms >= raw) ?? UNITS.at(-1)!)[0];
}
