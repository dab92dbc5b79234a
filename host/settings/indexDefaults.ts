/** What an index's settings say of fields whose mappings don't say it themselves. */

import { booleanOf } from '../json/values.js';

/** Defaults of numbers and dates. */
export interface IndexDefaults {
  /** Values that the type can't read are left out. */
  readonly ignoreMalformed: boolean;
  /** Texts may be read as numbers, and fractions cut to whole numbers. */
  readonly coerce: boolean;
  /** The upper bound of a range of dates is rounded up to the end of what is left out. */
  readonly roundCeil: boolean;
}

/** The defaults of 1.7. */
export const PLAIN_DEFAULTS: IndexDefaults = { ignoreMalformed: false, coerce: true, roundCeil: true };

/** The defaults of an index with these settings. */
export function indexDefaults(flat: Readonly<Record<string, string>>): IndexDefaults {
  const flag = (fallback: boolean, ...keys: string[]) => {
    const given = keys.map((key) => flat[`index.mapping.${key}`]).find((value) => value !== undefined);
    return given === undefined ? fallback : booleanOf(given);
  };
  return {
    ignoreMalformed: flag(false, 'ignore_malformed'),
    coerce: flag(true, 'coerce'),
    roundCeil: flag(true, 'date.round_ceil', 'date.parse_upper_inclusive'),
  };
}
