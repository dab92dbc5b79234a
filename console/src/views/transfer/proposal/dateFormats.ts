/** Formats of dates that are recognised, as a mapping names them. */

export interface DateFormat {
  /** Joda's, for the mapping. */
  format: string;
  reads: (text: string) => boolean;
}

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:T([01]\d|2[0-3])(?::([0-5]\d)(?::([0-5]\d)([.,]\d{1,9})?)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const TIME = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';

/** The first one that reads all values is proposed. */
export const DATE_FORMATS: readonly DateFormat[] = [
  { format: 'dateOptionalTime', reads: (text) => isDay(ISO.exec(text), [1, 2, 3]) },
  dayFormat('yyyy-MM-dd HH:mm:ss', `^(\\d{4})-(\\d\\d)-(\\d\\d) ${TIME}$`, [1, 2, 3]),
  dayFormat('yyyy/MM/dd', '^(\\d{4})/(\\d\\d)/(\\d\\d)$', [1, 2, 3]),
  dayFormat('yyyy/MM/dd HH:mm:ss', `^(\\d{4})/(\\d\\d)/(\\d\\d) ${TIME}$`, [1, 2, 3]),
  dayFormat('dd.MM.yyyy', '^(\\d\\d)\\.(\\d\\d)\\.(\\d{4})$', [3, 2, 1]),
  dayFormat('dd.MM.yyyy HH:mm:ss', `^(\\d\\d)\\.(\\d\\d)\\.(\\d{4}) ${TIME}$`, [3, 2, 1]),
  dayFormat('dd/MM/yyyy', '^(\\d\\d)/(\\d\\d)/(\\d{4})$', [3, 2, 1]),
  dayFormat('MM/dd/yyyy', '^(\\d\\d)/(\\d\\d)/(\\d{4})$', [3, 1, 2]),
  dayFormat('dd/MM/yyyy HH:mm:ss', `^(\\d\\d)/(\\d\\d)/(\\d{4}) ${TIME}$`, [3, 2, 1]),
  dayFormat('MM/dd/yyyy HH:mm:ss', `^(\\d\\d)/(\\d\\d)/(\\d{4}) ${TIME}$`, [3, 1, 2]),
];

/** @param groups of year, month and day */
function dayFormat(format: string, pattern: string, groups: readonly [number, number, number]): DateFormat {
  const expression = new RegExp(pattern);
  return { format, reads: (text) => isDay(expression.exec(text), groups) };
}

function isDay(match: RegExpExecArray | null, [y, m, d]: readonly [number, number, number]): boolean {
  if (match === null) return false;
  const [month, day] = [Number(match[m]), Number(match[d])];
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= new Date(Date.UTC(Number(match[y]), month, 0)).getUTCDate()
  );
}
