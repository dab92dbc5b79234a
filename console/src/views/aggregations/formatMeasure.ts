/** Numbers of buckets as people read them: whole ones with all digits, others with four. */
const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const fraction = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 5 });
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

export function formatMeasure(value: number | undefined): string {
  if (value === undefined) return '–';
  return Number.isInteger(value) ? whole.format(value) : fraction.format(value);
}

/** For axes: `12K`. */
export function formatTick(value: number): string {
  return Math.abs(value) >= 10_000 ? short.format(value) : fraction.format(value);
}
