/** The view and the rings in the address. */
import { isObject, parseJson } from '../../api/json';
import type { Rings } from './RingsPanel';
import type { Viewport } from './viewport';

/** `lat,lon,zoom`. Its size comes with the page. */
export function readView(text: string | null): Viewport | undefined {
  const [lat, lon, zoom] = (text ?? '').split(',').map(Number);
  if (text === null || zoom === undefined || ![lat, lon, zoom].every(Number.isFinite)) return undefined;
  return { lat: lat!, lon: lon!, zoom, width: 1, height: 1 };
}

export function viewText({ lat, lon, zoom }: Viewport): string {
  return `${lat.toFixed(5)},${lon.toFixed(5)},${zoom.toFixed(2)}`;
}

export function readRings(text: string | null): Rings | undefined {
  try {
    const read = text === null ? undefined : parseJson(text);
    if (!isObject(read) || !Array.isArray(read.origin) || typeof read.distances !== 'string')
      return undefined;
    const [lon, lat] = read.origin;
    if (typeof lon !== 'number' || typeof lat !== 'number') return undefined;
    return { origin: [lon, lat], distances: read.distances };
  } catch {
    return undefined;
  }
}
