// Writes assembly/codec/bitpack128.ts. Run: node scripts/generate-bitpack.mjs && npx biome format --write assembly/codec
import { writeFileSync } from 'node:fs';

const ROWS = 32;
/** Up to this width the decoding of gaps is unrolled; wider blocks are unpacked first, then added up. */
const FUSED = 16;

const unitOf = (b) => (b <= 4 ? 8 : b <= 14 ? 16 : 32);
const at = (offset) => (offset === 0 ? '' : `, ${offset}`);
const hex = (n) => `0x${(n >>> 0).toString(16)}`;
const low = (n) => Number((1n << BigInt(n)) - 1n);

/** `bits` in every unit of a 32-bit lane. */
function repeated(bits, unit) {
  let lane = 0n;
  for (let at = 0; at < 32; at += unit) lane |= BigInt(bits >>> 0) << BigInt(at);
  return Number(lane);
}

/** Code that takes the groups of a block packed with b bits out of its words, in order; each word is loaded once. */
function reader(b) {
  const unit = unitOf(b);
  const masks = new Map();
  let loaded = -1;
  const mask = (bits) => {
    const name = `mask${bits.toString(16)}`;
    masks.set(name, `const ${name} = i32x4.splat(${hex(bits)});`);
    return name;
  };
  const and = (value, bits) => `v128.and(${value}, ${mask(bits)})`;
  const shift = (operation, value, n) => `${unit === 16 ? 'i16x8' : 'i32x4'}.${operation}(${value}, ${n})`;
  const load = (word, lines) => {
    if (word > loaded) lines.push(`const w${word} = v128.load(src${at(word * 16)});`);
    loaded = Math.max(loaded, word);
  };
  const group = (g) => {
    const lines = [];
    const word = Math.floor((g * b) / unit);
    const from = (g * b) % unit;
    const fits = unit - from;
    load(word, lines);
    let value = from === 0 ? `w${word}` : shift('shr_u', `w${word}`, from);
    if (fits < b) {
      load(word + 1, lines);
      let rest = shift('shl', `w${word + 1}`, fits);
      if (unit === 8) {
        // There are no shifts of bytes: bits of the neighbours must go before the halves are joined.
        value = and(value, repeated(low(fits), 8));
        rest = and(rest, repeated(low(b) & ~low(fits), 8));
      }
      value = `v128.or(${value}, ${rest})`;
      if (unit > 8) value = and(value, repeated(low(b), unit));
    } else if (fits > b || (unit === 8 && from > 0)) {
      value = and(value, repeated(low(b), unit));
    }
    return { lines, value };
  };
  /** The rows of a group held in `name`, first row first. */
  const rows = (name) => {
    const values = [];
    for (let from = 0; from < 32; from += unit) {
      const value = from === 0 ? name : `i32x4.shr_u(${name}, ${from})`;
      values.push(from + unit === 32 ? value : and(value, low(unit)));
    }
    return values;
  };
  return { unit, group, rows, masks: () => [...masks.values()] };
}

function unpack(b) {
  const { unit, group, rows, masks } = reader(b);
  const body = [];
  const perGroup = 32 / unit;
  for (let r = 0; r < ROWS; r += perGroup) {
    const { lines, value } = group(r / perGroup);
    body.push(...lines);
    if (perGroup > 1) body.push(`group = ${value};`);
    rows(perGroup > 1 ? 'group' : value).forEach((row, i) => {
      body.push(`v128.store(dst, i32x4.add(${row}, add)${at((r + i) * 16)});`);
    });
  }
  const group0 = perGroup > 1 ? ['let group: v128;'] : [];
  return [
    `function unpack${b}(src: usize, dst: usize, add: v128): void {`,
    ...masks(),
    ...group0,
    ...body,
    '}',
  ];
}

function gaps(b) {
  const { unit, group, rows, masks } = reader(b);
  const perGroup = 32 / unit;
  // The sums of 4 gaps of b bits and the steps 1..4 share a unit when 2^(b + 2) fits.
  const together = perGroup > 1 && b + 2 < unit;
  const steps = together ? unit : 32;
  const constants = [1, 2, 3, 4].map((n) => (steps === 32 ? n : hex(repeated(n, steps))));
  const body = [];
  for (let r = 0; r < ROWS; r += 2) {
    let pair;
    if (perGroup === 1) {
      const even = group(r);
      const odd = group(r + 1);
      body.push(...even.lines, `even = i32x4.add(Sums.ofRow(${even.value}), steps);`);
      body.push(...odd.lines, `odd = i32x4.add(Sums.ofRow(${odd.value}), steps);`);
    } else {
      if (r % perGroup === 0) {
        const { lines, value } = group(r / perGroup);
        const sums = `Sums.ofRow(${value})`;
        body.push(...lines, `group = ${together ? `i32x4.add(${sums}, steps)` : sums};`);
      }
      pair = rows('group').slice(r % perGroup, (r % perGroup) + 2);
      if (!together) pair = pair.map((row) => `i32x4.add(${row}, steps)`);
      body.push(`even = ${pair[0]};`, `odd = ${pair[1]};`);
    }
    body.push(`odd = i32x4.add(i32x4.add(odd, Sums.last(even)), before);`);
    body.push(
      `v128.store(dst, i32x4.add(even, before)${at(r * 16)});`,
      `v128.store(dst, odd${at(r * 16 + 16)});`,
    );
    if (r + 2 < ROWS) body.push('before = Sums.last(odd);');
  }
  return [
    `function unpackGaps${b}(src: usize, dst: usize, previous: i32): void {`,
    ...masks(),
    `const steps = i32x4(${constants.join(', ')});`,
    'let before = i32x4.splat(previous);',
    ...(perGroup > 1 ? ['let group: v128;'] : []),
    'let even: v128;',
    'let odd: v128;',
    ...body,
    '}',
  ];
}

/** A switch over the widths 0..`widest`; `zero` are the statements for 0 bits, `wider` those for wider blocks. */
function dispatch(signature, target, argument, zero, widest, wider) {
  const out = [signature, 'switch (bits) {', 'case 0:', ...zero, 'break;'];
  for (let b = 1; b <= widest; b++) out.push(`case ${b}:`, `${target}${b}(src, dst, ${argument});`, 'break;');
  if (wider.length) out.push('default:', ...wider);
  return [...out, '}', '}'];
}

const widths = (n) => Array.from({ length: n }, (_, i) => i + 1);

const source = [
  `/**
 * Blocks of 128 values of the same width, and of the gaps between ascending ones. Generated by scripts/generate-bitpack.mjs: long
 * because every width has its own straight-line code.
 *
 * Value i sits in lane i % 4 of row i / 4. A block of b bits is b v128 words, 16 * b bytes. Each 32-bit lane is divided into
 * units of U bits, and a unit continues in the same unit of the next word; rows go to the units in turn, so that neighbouring
 * rows come out of a word side by side. A row's bits follow those of the row before in its unit, low bits first.
 *
 *     b = 1..4     U = 8     | rows 0 4 8 12 ...   | rows 1 5 9 13 ...  | rows 2 6 10 14 ... | rows 3 7 11 15 ... |
 *     b = 5..14    U = 16    | rows 0 2 4 6 ...                         | rows 1 3 5 7 ...                        |
 *     b = 15..32   U = 32    | rows 0 1 2 3 ...                                                                   |
 *                            bit 0                                                                           bit 31
 *
 * The sums of four gaps still fit into a unit, so one running sum over the lanes serves all rows of a group. Measured with
 * V8 11.3 on an AMD EPYC, G values/s decoded from gaps, for widths 2 / 7 / 13: one row at a time (U = 32) 4.7 / 4.6 / 4.3;
 * carrying over two rows at once 5.1 / 4.8 / 4.5; U = 16 for all 6.5 / 5.8 / 5.4; U = 8 for 2 bits 7.3.
 */`,
  `class Sums {
  /** Lane i becomes the sum of lanes 0..i, in every unit. */
  @inline static ofRow(row: v128): v128 {
    const zero = i32x4.splat(0);
    const pairs = i32x4.add(row, i8x16.shuffle(zero, row, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27));
    return i32x4.add(pairs, i8x16.shuffle(zero, pairs, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23));
  }

  /** The last lane in all four. */
  @inline static last(row: v128): v128 {
    return i8x16.shuffle(row, row, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15);
  }
}`,
  `/** Bits that the largest of the 128 values at \`src\` needs: 0..32. */
export function bitsFor128(src: usize): u32 {
  let all = v128.load(src);
  for (let p = src + 16; p < src + 512; p += 16) all = v128.or(all, v128.load(p));
  const folded = i64x2.extract_lane(all, 0) | i64x2.extract_lane(all, 1);
  return 32 - clz(<u32>folded | <u32>(folded >>> 32));
}`,
  `/** Packs the 128 values at \`src\`, all below 2^bits, into 16 * bits bytes at \`dst\`. */
export function pack128(src: usize, dst: usize, bits: u32): void {
  if (!bits) return;
  const unit: u32 = bits <= 4 ? 8 : bits <= 14 ? 16 : 32;
  // A number below 2^unit times this is that number in every unit.
  const everyUnit: u32 = bits <= 4 ? 0x01010101 : bits <= 14 ? 0x00010001 : 1;
  let word = i32x4.splat(0);
  let used: u32 = 0;
  for (let p = src; p < src + 512; ) {
    let group = v128.load(p);
    p += 16;
    for (let from = unit; from < 32; from += unit, p += 16) group = v128.or(group, i32x4.shl(v128.load(p), from));
    const fits = unit - used;
    if (fits > bits) {
      word = v128.or(word, i32x4.shl(group, used));
      used += bits;
      continue;
    }
    const low: u32 = fits < 32 ? (1 << fits) - 1 : ~0;
    v128.store(dst, v128.or(word, i32x4.shl(v128.and(group, i32x4.splat(low * everyUnit)), used)));
    dst += 16;
    used = bits - fits;
    const high: u32 = (1 << used) - 1;
    word = used ? v128.and(i32x4.shr_u(group, fits), i32x4.splat(high * everyUnit)) : i32x4.splat(0);
  }
}`,
  `/** Unpacks 128 values. */
export function unpack128(src: usize, dst: usize, bits: u32): void {
  unpackAdding(src, dst, bits, i32x4.splat(0));
}`,
  `/** Unpacks 128 values and adds 1 to each. */
export function unpackPlusOne128(src: usize, dst: usize, bits: u32): void {
  unpackAdding(src, dst, bits, i32x4.splat(1));
}`,
  `/** Unpacks 128 gaps and adds them up: value i becomes value i - 1 plus gap i plus 1, starting from \`previous\`. */
${dispatch(
  'export function unpackGaps128(src: usize, dst: usize, bits: u32, previous: i32): void {',
  'unpackGaps',
  'previous',
  ['fill(dst, i32x4.splat(0));', 'addUp(dst, previous);'],
  FUSED,
  ['unpack128(src, dst, bits);', 'addUp(dst, previous);'],
).join('\n')}`,
  `function fill(dst: usize, row: v128): void {
  for (let p = dst; p < dst + 512; p += 16) v128.store(p, row);
}`,
  `/** Turns the 128 gaps at \`dst\` into the values they lead to. */
function addUp(dst: usize, previous: i32): void {
  const steps = i32x4(1, 2, 3, 4);
  let before = i32x4.splat(previous);
  for (let p = dst; p < dst + 512; p += 16) {
    const row = i32x4.add(i32x4.add(Sums.ofRow(v128.load(p)), steps), before);
    v128.store(p, row);
    before = Sums.last(row);
  }
}`,
  dispatch(
    'function unpackAdding(src: usize, dst: usize, bits: u32, add: v128): void {',
    'unpack',
    'add',
    ['fill(dst, add);'],
    32,
    [],
  ),
  ...widths(32).map(unpack),
  ...widths(FUSED).map(gaps),
];

writeFileSync(
  new URL('../assembly/codec/bitpack128.ts', import.meta.url),
  `${source.map((part) => (typeof part === 'string' ? part : part.join('\n'))).join('\n\n')}\n`,
);
