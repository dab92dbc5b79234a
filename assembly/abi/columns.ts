// Made by scripts/generate-constants.mjs from scripts/data/constants.json.

// Doc values: what the values of a field are.

// What the values are.
export const COLUMN_NONE: u32 = 0;
/** Whole numbers: terms of eight bytes, big endian, the sign bit flipped. */
export const COLUMN_LONG: u32 = 1;
/** Fractions, kept as the whole numbers that order like them (`Double`): terms as above, of a negative number all bits flipped. */
export const COLUMN_DOUBLE: u32 = 2;
/** Ordinals of the field's terms in its dictionary. */
export const COLUMN_ORDINAL: u32 = 3;
/** Points: terms of sixteen bytes, latitude and longitude as fractions. */
export const COLUMN_GEO: u32 = 4;
