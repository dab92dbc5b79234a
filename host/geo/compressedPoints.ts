/** Points as `fielddata` in the format `compressed` keeps them: each coordinate in as few bytes as a precision takes. */

import { type GeoPoint, MERIDIAN, parseDistance } from './geoPoints.js';

const DEFAULT_PRECISION = '1cm';
/** Bytes of a coordinate that lose nothing against a double. */
const MAX_BYTES = 7;

/** Degrees between two coordinates that so many bytes can tell apart. */
const stepOf = (bytes: number) => 2 ** (9 - 8 * bytes);

/** The step, in degrees, of the coordinates of a field; undefined where they are kept as they are. */
export function compressedStep(fielddata: Readonly<Record<string, string>> | undefined): number | undefined {
  if (fielddata?.format !== 'compressed') return undefined;
  const precision = precisionOf(fielddata.precision ?? DEFAULT_PRECISION);
  let bytes = 1;
  while (bytes < MAX_BYTES && (MERIDIAN * stepOf(bytes)) / 360 > precision) bytes++;
  return stepOf(bytes);
}

/** Metres; of what is no distance none, so that documents can be indexed: 1.7 complains only as it loads them. */
function precisionOf(text: string): number {
  try {
    return parseDistance(text);
  } catch {
    return 0;
  }
}

/** The nearest point whose coordinates are whole steps. */
export function compressed({ lat, lon }: GeoPoint, step: number): GeoPoint {
  const nearest = (coordinate: number) => Math.floor((coordinate + 180) / step + 0.5) * step - 180;
  return { lat: nearest(lat), lon: nearest(lon) };
}
