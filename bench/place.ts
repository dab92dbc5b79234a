/** RepositoryLocations within 490 km of Prague. */

/** Degrees of latitude of a kilometre. */
const DEGREES = 1 / 111.2;
const KILOMETRES = 490;

export const CENTRE = { lat: 50.08, lon: 14.44 };

/**
 * A place in a direction from the centre; of even shares and angles places are spread evenly.
 * @param share of the area that is nearer, 0 to 1
 * @param angle in radians
 */
export function placeAt(share: number, angle: number): { lat: number; lon: number } {
  const radius = KILOMETRES * Math.sqrt(share);
  const lat = CENTRE.lat + radius * Math.cos(angle) * DEGREES;
  const lon = CENTRE.lon + (radius * Math.sin(angle) * DEGREES) / Math.cos((lat * Math.PI) / 180);
  return { lat, lon };
}
