/**
 * Versions of documents: whole numbers of 64 bits. Those that a double holds exactly are numbers, as nearly all are; the others are
 * bigints, so that equal versions are `===`, and `<` orders all of them.
 */

/** A version. */
export type Version = number | bigint;

/** A whole number as it stands for a version. */
export function versionFrom(value: bigint): Version {
  const isSafe = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
  return isSafe ? Number(value) : BigInt.asIntN(64, value);
}

/** The version behind one, which Java's longs wrap around. */
export function nextVersion(version: Version): Version {
  return typeof version === 'number' && version < Number.MAX_SAFE_INTEGER
    ? version + 1
    : versionFrom(BigInt.asIntN(64, BigInt(version) + 1n));
}

/** The bits of 2^53 as a double, the largest that stands for itself. */
const LAST_DOUBLE = 0x4340_0000_0000_0000n;
const SIGN = 1n << 63n;
/** The smallest version that is a long and no number. */
const FIRST_LONG = 1n << 53n;
const WRAPPED = LAST_DOUBLE + 1n;

/**
 * Writes a version in eight bytes:
 *
 *     0 … 2^53          as a double; folders of older servers have no others
 *     2^53 … 2^63-1     as a long with the sign bit set
 *     -2^53 … -1        as the long -1 - version with the sign bit set
 *     -2^63 …           what follows the largest, above the bits of 2^53
 *
 * Throws a `RangeError` for what lies between the last two: more than 2^61 writes behind the largest version.
 */
export function putVersion(into: DataView, at: number, version: Version): void {
  if (typeof version !== 'number') into.setBigUint64(at, longBits(version));
  else if (version < 0) into.setBigUint64(at, BigInt(-1 - version) | SIGN);
  else into.setFloat64(at, version);
}

function longBits(version: bigint): bigint {
  if (version > 0n) return version | SIGN;
  const bits = WRAPPED + version + SIGN;
  if (bits >= SIGN) throw new RangeError(`the version ${version} can't be stored`);
  return bits;
}

/** Reads it. */
export function getVersion(view: DataView, at: number): Version {
  const high = view.getUint32(at);
  if (high < 0x4340_0000) return view.getFloat64(at);
  const bits = view.getBigUint64(at);
  if (bits >= SIGN) {
    const long = bits & (SIGN - 1n);
    return long < FIRST_LONG ? -1 - Number(long) : versionFrom(long);
  }
  return bits <= LAST_DOUBLE ? view.getFloat64(at) : versionFrom(bits - WRAPPED - SIGN);
}
