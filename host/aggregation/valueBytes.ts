/** What a value takes in memory, about: what aggregations hold of a bucket, or show of it. */

const OBJECT_BYTES = 56;
/** The place of a value in an object or a list, and a number in it. */
const VALUE_BYTES = 24;
const TEXT_BYTES = 24;
/** An object of a class, which may refer to anything. */
const INSTANCE_BYTES = 250;
/** Larger values are known to be large enough. */
const MOST = 64 * 1024 * 1024;

/** Bytes of a value of lists and plain objects, with all that it refers to. */
export function valueBytes(value: unknown): number {
  if (typeof value === 'string') return TEXT_BYTES + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (ArrayBuffer.isView(value)) return INSTANCE_BYTES + value.byteLength;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return INSTANCE_BYTES;
  let bytes = OBJECT_BYTES;
  for (const inner of Object.values(value)) {
    bytes += VALUE_BYTES + valueBytes(inner);
    if (bytes > MOST) break;
  }
  return bytes;
}
