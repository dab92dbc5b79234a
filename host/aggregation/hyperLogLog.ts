/**
 * HyperLogLog++ as 1.7 counts with it: short hashes of 32 bits in a set as long as they are few, then 2^precision registers. The
 * core fills both (assembly/aggregate/cardinality.ts); this merges them and says how many values there were.
 */

const SHORT_BITS = 25;

/** Above so many, by precision from 4 on, empty registers say less than the estimate does. */
const THRESHOLDS = [
  10, 20, 40, 80, 220, 400, 900, 1800, 3100, 6500, 11_500, 20_000, 50_000, 120_000, 350_000,
];

/**
 * What the raw estimate is on average, by how many values there are: measured by the authors of HyperLogLog++ (appendix to
 * "HyperLogLog in Practice"). With 16 registers for 1, 2, 3… values; with 512 for 1 + 12.8 i. Estimates grow with the number of
 * registers, so that the latter stand for all precisions above.
 */
const RAW_16 = [
  11, 11.717, 12.207, 12.7896, 13.2882, 13.8204, 14.3772, 14.9342, 15.5202, 16.161, 16.7722, 17.4636, 18.0396,
  18.6766, 19.3566, 20.0454, 20.7936, 21.4856, 22.2666, 22.9946, 23.766, 24.4692, 25.3638, 26.0764, 26.7864,
  27.7602, 28.4814, 29.433, 30.2926, 31.0664, 31.9996, 32.7956, 33.5366, 34.5894, 35.5738, 36.2698, 37.3682,
  38.0544, 39.2342, 40.0108, 40.7966, 41.9298, 42.8704, 43.6358, 44.5194, 45.773, 46.6772, 47.6174, 48.4888,
  49.3304, 50.2506, 51.4996, 52.3824, 53.3078, 54.3984, 55.5838, 56.6618, 57.2174, 58.3514, 59.0802, 60.1482,
  61.0376, 62.3598, 62.8078, 63.9744, 64.914, 65.781, 67.1806, 68.0594, 68.8446, 69.7928, 70.8248, 71.8324,
  72.8598, 73.6246, 74.7014, 75.393, 76.6708, 77.2394,
];
const RAW_512 = [
  369, 374.8294, 381.2452, 387.6698, 394.1464, 400.2024, 406.8782, 413.6598, 420.462, 427.2826, 433.7102,
  440.7416, 447.9366, 455.1046, 462.285, 469.0668, 476.306, 483.8448, 491.301, 498.9886, 506.2422, 513.8138,
  521.7074, 529.7428, 537.8402, 545.1664, 553.3534, 561.594, 569.6886, 577.7876, 585.65, 594.228, 602.8036,
  611.1666, 620.0818, 628.0824, 637.2574, 646.302, 655.1644, 664.0056, 672.3802, 681.7192, 690.5234, 700.2084,
  708.831, 718.485, 728.1112, 737.4764, 746.76, 756.3368, 766.5538, 775.5058, 785.2646, 795.5902, 804.3818,
  814.8998, 824.9532, 835.2062, 845.2798, 854.4728, 864.9582, 875.3292, 886.171, 896.781, 906.5716, 916.7048,
  927.5322, 937.875, 949.3972, 958.3464, 969.7274, 980.2834, 992.1444, 1003.4264, 1013.0166, 1024.018,
  1035.0438, 1046.34, 1057.6856, 1068.9836, 1079.0312, 1091.677, 1102.3188, 1113.4846, 1124.4424, 1135.739,
  1147.1488, 1158.9202, 1169.406, 1181.5342, 1193.2834, 1203.8954, 1216.3286, 1226.2146, 1239.6684, 1251.9946,
  1262.123, 1275.4338, 1285.7378, 1296.076, 1308.9692, 1320.4964, 1333.0998, 1343.9864, 1357.7754, 1368.3208,
  1380.4838, 1392.7388, 1406.0758, 1416.9098, 1428.9728, 1440.9228, 1453.9292, 1462.617, 1476.05, 1490.2996,
  1500.6128, 1513.7392, 1524.5174, 1536.6322, 1548.2584, 1562.3766, 1572.423, 1587.1232, 1596.5164, 1610.5938,
  1622.5972, 1633.1222, 1647.7674, 1658.5044, 1671.57, 1683.7044, 1695.4142, 1708.7102, 1720.6094, 1732.6522,
  1747.841, 1756.4072, 1769.9786, 1782.3276, 1797.5216, 1808.3186, 1819.0694, 1834.354, 1844.575, 1856.2808,
  1871.1288, 1880.7852, 1893.9622, 1906.3418, 1920.6548, 1932.9302, 1945.8584, 1955.473, 1968.8248, 1980.6446,
  1995.9598, 2008.349, 2019.8556, 2033.0334, 2044.0206, 2059.3956, 2069.9174, 2082.6084, 2093.7036, 2106.6108,
  2118.9124, 2132.301, 2144.7628, 2159.8422, 2171.0212, 2183.101, 2193.5112, 2208.052, 2221.3194, 2233.3282,
  2247.295, 2257.7222, 2273.342, 2286.5638, 2299.6786, 2310.8114, 2322.3312, 2335.516, 2349.874, 2363.5968,
  2373.865, 2387.1918, 2401.8328, 2414.8496, 2424.544, 2436.7592, 2447.1682, 2464.1958, 2474.3438, 2489.0006,
  2497.4526, 2513.6586, 2527.19, 2540.7028, 2553.768,
];
/** Neighbours that an estimate's bias is taken from. */
const NEIGHBOURS = 6;

export type Sketch = Set<number> | Uint8Array;

/** The precision with which so many values are counted one by one. */
export function precisionOf(threshold: number): number {
  const bits = Math.ceil(threshold / 0.75) * 4;
  return Math.min(Math.max(bits === 0 ? 1 : Math.floor(Math.log2(bits)) + 1, 4), 18);
}

/** Adds a short hash to registers. */
function addShort(registers: Uint8Array, short: number, precision: number): void {
  let first: number;
  let run: number;
  if (short & 1) {
    first = short >>> 7;
    run = ((short >>> 1) & 63) + SHORT_BITS - precision;
  } else {
    first = short >>> 1;
    run = 1 + Math.clz32(first << (7 + precision));
  }
  const register = first >>> (SHORT_BITS - precision);
  registers[register] = Math.max(registers[register]!, run);
}

/** All of several sketches of one precision. */
export function mergeSketches(sketches: readonly Sketch[], precision: number): Sketch {
  const [only] = sketches;
  if (sketches.length === 1 && only !== undefined) return only;
  const m = 2 ** precision;
  const hashes = new Set<number>();
  let registers: Uint8Array | undefined;
  for (const sketch of sketches) {
    if (sketch instanceof Set) for (const hash of sketch) hashes.add(hash);
    else {
      registers ??= new Uint8Array(m);
      for (let i = 0; i < m; i++) registers[i] = Math.max(registers[i]!, sketch[i]!);
    }
  }
  const places = m / 4;
  if (registers === undefined && hashes.size <= Math.floor(places * 0.75)) return hashes;
  registers ??= new Uint8Array(m);
  for (const hash of hashes) addShort(registers, hash, precision);
  return registers;
}

function linearCount(places: number, empty: number): number {
  return Math.round(places * Math.log(places / empty));
}

/** How much too large an estimate is on average. */
function bias(estimate: number, m: number): number {
  const raw = m === 16 ? RAW_16 : RAW_512;
  const scale = m === 16 ? 1 : m / 512;
  const values = (i: number) => (m === 16 ? i + 1 : Math.floor(1 + 12.8 * i) * scale);
  const weights = new Array<number>(NEIGHBOURS).fill(0);
  let from = raw.length - NEIGHBOURS;
  for (let i = 0; i < raw.length; i++) {
    const weight = 1 / Math.abs(raw[i]! * scale - estimate);
    if (weight === Number.POSITIVE_INFINITY) return raw[i]! * scale - values(i);
    if (weights[i % NEIGHBOURS]! >= weight) {
      from = i - NEIGHBOURS;
      break;
    }
    weights[i % NEIGHBOURS] = weight;
  }
  let sum = 0;
  let all = 0;
  for (let j = 0; j < NEIGHBOURS; j++) {
    const i = from + j;
    const weight = weights[i % NEIGHBOURS]!;
    all += weight;
    sum += weight * (raw[i]! * scale - values(i));
  }
  return sum / all;
}

function alpha(m: number): number {
  if (m === 16) return 0.673;
  return m === 32 ? 0.697 : 0.7213 / (1 + 1.079 / m);
}

/** How many values a sketch has seen. */
export function cardinality(sketch: Sketch, precision: number): number {
  if (sketch instanceof Set) return linearCount(2 ** SHORT_BITS, 2 ** SHORT_BITS - sketch.size);
  const m = 2 ** precision;
  let inverse = 0;
  let empty = 0;
  for (const run of sketch) {
    inverse += 2 ** -run;
    if (run === 0) empty++;
  }
  const raw = (alpha(m) * m * m) / inverse;
  const estimate = raw <= 5 * m ? raw - bias(raw, m) : raw;
  const counted = empty > 0 ? linearCount(m, empty) : estimate;
  return Math.round(counted <= THRESHOLDS[precision - 4]! ? counted : estimate);
}
