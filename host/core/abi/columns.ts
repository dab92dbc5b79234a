// Made by scripts/generate-constants.mjs from scripts/data/constants.json.

/** Doc values: what the values of a field are. */

/** What the values are. */
export const ColumnType = {
  none: 0,
  /** Whole numbers: terms of eight bytes, big endian, the sign bit flipped. */
  long: 1,
  /** Fractions, kept as the whole numbers that order like them (`Double`): terms as above, of a negative number all bits flipped. */
  double: 2,
  /** Ordinals of the field's terms in its dictionary. */
  ordinal: 3,
  /** Points: terms of sixteen bytes, latitude and longitude as fractions. */
  geo: 4,
} as const;
export type ColumnType = (typeof ColumnType)[keyof typeof ColumnType];
