/** A point made of two columns, added to a document. */
import type { PointColumns } from './proposal/proposal';
import { memberOf, NoJson } from './reading/jsonSlices';

/** The source with the point's field behind its own; as it was where it lacks one of them. */
export function withPoint(source: string, { lat, lon, field }: PointColumns): string {
  try {
    const [y, x] = [memberOf(source, 0, lat), memberOf(source, 0, lon)];
    if (y === undefined || x === undefined || memberOf(source, 0, field) !== undefined) return source;
    const digits = [source.slice(y.from, y.to), source.slice(x.from, x.to)];
    if (!digits.every((text) => /^-?\d/.test(text))) return source;
    const end = source.lastIndexOf('}');
    return `${source.slice(0, end)},${JSON.stringify(field)}:{"lat":${digits[0]},"lon":${digits[1]}}}`;
  } catch (error) {
    // The server says what is wrong with it.
    if (error instanceof NoJson) return source;
    throw error;
  }
}
