import { diameterAt, sloppyArc } from './sloppyMath';

/** How far apart two points are, by the formulas of Elasticsearch 1.7. Points are in degrees, distances in metres. */

/** Formulas, as plans name them. */
export const SLOPPY_ARC: u8 = 0;
export const ARC: u8 = 1;
export const PLANE: u8 = 2;
/** Not a distance: the cosine of the angle, computed as 1.7 does. */
export const FACTOR: u8 = 3;
export const FORMULAS: u8 = 4;

const RADIANS: f64 = Math.PI / 180;
/** The equator's radius in metres. */
const EQUATOR: f64 = 6378137;

/** The distance by a formula. */
export function distance(formula: u8, latitude1: f64, longitude1: f64, latitude2: f64, longitude2: f64): f64 {
  switch (formula) {
    case ARC:
      return arc(latitude1, longitude1, latitude2, longitude2);
    case PLANE: {
      const px = longitude2 - longitude1;
      const py = latitude2 - latitude1;
      return Math.sqrt(px * px + py * py) * ((EQUATOR * Math.PI * 2) / 360);
    }
    case FACTOR: {
      const a = (90 - latitude1) * RADIANS;
      const c = (90 - latitude2) * RADIANS;
      return (
        Math.cos(a) * Math.cos(c) + Math.sin(a) * Math.sin(c) * Math.cos((longitude2 - longitude1) * RADIANS)
      );
    }
    default:
      return sloppyArc(latitude1, longitude1, latitude2, longitude2);
  }
}

function arc(latitude1: f64, longitude1: f64, latitude2: f64, longitude2: f64): f64 {
  const x1 = (latitude1 * Math.PI) / 180;
  const x2 = (latitude2 * Math.PI) / 180;
  const h1 = (1 - Math.cos(x1 - x2)) / 2;
  const h2 = (1 - Math.cos(((longitude1 - longitude2) * Math.PI) / 180)) / 2;
  const h = h1 + Math.cos(x1) * Math.cos(x2) * h2;
  return diameterAt((x1 + x2) / 2) * 1000 * Math.asin(Math.min(1, Math.sqrt(h)));
}
