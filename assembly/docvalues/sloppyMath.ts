/**
 * The distance between points on the ellipsoid as Elasticsearch 1.7 computes it, to the last bit: Lucene 4.10's haversine formula
 * over tables of sine, cosine and arc sine, with the earth's diameter at the mean of the two latitudes.
 */

const RADIANS: f64 = Math.PI / 180;

/** Entries of a full circle. */
const CIRCLE: i32 = 2048;
/** Entries of the arc sine up to sin(73 degrees). */
const ARCS: i32 = 8192;
/** Entries of a quarter of a meridian. */
const MERIDIAN: i32 = 1024;

/** The first 33 bits of pi / 2, and the rest. */
const HALF_PI_HIGH: f64 = reinterpret<f64>(0x3ff921fb54400000);
const HALF_PI_LOW: f64 = reinterpret<f64>(0x3dd0b4611a626331);
const STEP_HIGH: f64 = (4 * HALF_PI_HIGH) / CIRCLE;
const STEP_LOW: f64 = (4 * HALF_PI_LOW) / CIRCLE;
const STEPS: f64 = 1 / (STEP_HIGH + STEP_LOW);

/** Axes of the WGS 84 ellipsoid in metres. */
const EQUATOR: f64 = 6378137;
const POLE: f64 = 6356752.3142;
const MERIDIAN_STEPS: f64 = 1 / (Math.PI / 2 / MERIDIAN);

/** Address of the tables: sin, cos (CIRCLE + 1 each), arc sine and its derivatives (5 * (ARCS + 1)), diameters (MERIDIAN + 1). */
const sines: usize = memory.data((2049 * 2 + 8193 * 5 + 1025) * 8, 16);
const cosines: usize = sines + 2049 * 8;
const arcs: usize = cosines + 2049 * 8;
const diameters: usize = arcs + 8193 * 5 * 8;

let ready: bool = false;
let arcLimit: f64 = 0;
let arcStep: f64 = 0;
let arcSteps: f64 = 0;

function prepare(): void {
  ready = true;
  for (let i = 0; i <= CIRCLE; i++) {
    const angle = <f64>i * STEP_HIGH + <f64>i * STEP_LOW;
    const at = (<usize>i) << 3;
    store<f64>(sines + at, i == CIRCLE / 2 || i == CIRCLE ? 0 : Math.sin(angle));
    store<f64>(cosines + at, i == CIRCLE / 4 || i == (CIRCLE * 3) / 4 ? 0 : Math.cos(angle));
  }
  arcLimit = Math.sin((73.0 / 180) * Math.PI);
  arcStep = arcLimit / ARCS;
  arcSteps = 1 / arcStep;
  for (let i = 0; i <= ARCS; i++) {
    const x = <f64>i * arcStep;
    const inverse = 1 / (1 - x * x);
    const root = Math.sqrt(inverse);
    const root3 = root * inverse;
    const root5 = root3 * inverse;
    const root7 = root5 * inverse;
    const at = arcs + <usize>i * 40;
    store<f64>(at, Math.asin(x));
    store<f64>(at, root, 8);
    store<f64>(at, x * root3 * (1.0 / 2), 16);
    store<f64>(at, (1 + 2 * x * x) * root5 * (1.0 / 6), 24);
    store<f64>(at, (5 + 2 * x * (2 + x * (5 - 2 * x))) * root7 * (1.0 / 24), 32);
  }
  store<f64>(diameters, (2 * EQUATOR) / 1000);
  store<f64>(diameters + ((<usize>MERIDIAN) << 3), (2 * POLE) / 1000);
  for (let i = 1; i < MERIDIAN; i++) {
    // Lucene divides by 2 * 1025 - 1 where 2 * 1024 was meant.
    const latitude = (Math.PI * <f64>i) / 2049;
    const cos = Math.cos(latitude);
    const sin = Math.sin(latitude);
    const above = square(EQUATOR * EQUATOR * cos) + square(POLE * POLE * sin);
    const below = square(EQUATOR * cos) + square(POLE * sin);
    store<f64>(diameters + ((<usize>i) << 3), (2 * Math.sqrt(above / below)) / 1000);
  }
}

function square(x: f64): f64 {
  return x * x;
}

/** Cosine of an angle of a few turns. */
function cosine(given: f64): f64 {
  const angle = Math.abs(given);
  let index = <i32>(angle * STEPS + 0.5);
  const delta = angle - <f64>index * STEP_HIGH - <f64>index * STEP_LOW;
  index &= CIRCLE - 1;
  const at = (<usize>index) << 3;
  const cos = load<f64>(cosines + at);
  const sin = load<f64>(sines + at);
  return (
    cos + delta * (-sin + delta * (-cos * (1.0 / 2) + delta * (sin * (1.0 / 6) + delta * cos * (1.0 / 24))))
  );
}

/** Arc sine of a number from 0 to 1. */
function arcSine(a: f64): f64 {
  if (a <= arcLimit) {
    const index = <i32>(a * arcSteps + 0.5);
    const delta = a - <f64>index * arcStep;
    const at = arcs + <usize>index * 40;
    return (
      load<f64>(at) +
      delta *
        (load<f64>(at, 8) +
          delta * (load<f64>(at, 16) + delta * (load<f64>(at, 24) + delta * load<f64>(at, 32))))
    );
  }
  // Near 1 as fdlibm.
  return Math.asin(a);
}

/** The earth's diameter in kilometres at a latitude in radians. */
export function diameterAt(latitude: f64): f64 {
  if (!ready) prepare();
  const index = <i32>(Math.abs(latitude) * MERIDIAN_STEPS + 0.5) % (MERIDIAN + 1);
  return load<f64>(diameters + ((<usize>index) << 3));
}

/** Distance in metres between two points in degrees. */
export function sloppyArc(latitude1: f64, longitude1: f64, latitude2: f64, longitude2: f64): f64 {
  return haversin(latitude1, longitude1, latitude2, longitude2) * 1000;
}

/** Distance in kilometres between two points in degrees. */
export function haversin(latitude1: f64, longitude1: f64, latitude2: f64, longitude2: f64): f64 {
  if (!ready) prepare();
  const x1 = latitude1 * RADIANS;
  const x2 = latitude2 * RADIANS;
  const h1 = 1 - cosine(x1 - x2);
  const h2 = 1 - cosine((longitude1 - longitude2) * RADIANS);
  const h = (h1 + cosine(x1) * cosine(x2) * h2) / 2;
  return diameterAt((x1 + x2) / 2) * arcSine(Math.min(1, Math.sqrt(h)));
}
