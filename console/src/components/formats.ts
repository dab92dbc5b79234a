/** Numbers as people read them. */

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });

/** `12,345`. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** Bytes, by thousands and 24: `1.5 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]!}`;
}

/** Milliseconds: `0.4 ms`, `12 ms`, `3.2 s`. */
export function formatMs(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

/** How long something has lasted, from milliseconds: `42 s`, `3 h 5 min`, `12 d 4 h`. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return `${days} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
