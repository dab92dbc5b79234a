import { heapAllocZeroed } from '../../memory/heap';
import { nothing, Stage } from '../stage';
import { Token } from '../token';
import { encodeUtf8, Utf8 } from '../utf8';

const FULL_WIDTH: u32 = 0xff01;
const FULL_WIDTH_COUNT: u32 = 0x5e;
const HALF_WIDTH: u32 = 0xff65;
const HALF_WIDTH_COUNT: u32 = 0x3b;
/** The half-width marks that voice the kana before them. */
const VOICED: u32 = 0xff9e;
const HALF_VOICED: u32 = 0xff9f;

/** U+FF65 to U+FF9F as full-width kana and marks, u16 each. */
// biome-ignore format: a table
const KANA: usize = memory.data<u16>([
  0x30fb, 0x30f2, 0x30a1, 0x30a3, 0x30a5, 0x30a7, 0x30a9, 0x30e3, 0x30e5, 0x30e7, 0x30c3, 0x30fc, 0x30a2, 0x30a4, 0x30a6,
  0x30a8, 0x30aa, 0x30ab, 0x30ad, 0x30af, 0x30b1, 0x30b3, 0x30b5, 0x30b7, 0x30b9, 0x30bb, 0x30bd, 0x30bf, 0x30c1, 0x30c4,
  0x30c6, 0x30c8, 0x30ca, 0x30cb, 0x30cc, 0x30cd, 0x30ce, 0x30cf, 0x30d2, 0x30d5, 0x30d8, 0x30db, 0x30de, 0x30df, 0x30e0,
  0x30e1, 0x30e2, 0x30e4, 0x30e6, 0x30e8, 0x30e9, 0x30ea, 0x30eb, 0x30ec, 0x30ed, 0x30ef, 0x30f3, 0x3099, 0x309a,
]);

/** Lucene's CJKWidthFilter: full-width ASCII and half-width kana in their usual width. Arguments: none. */
export function makeCjkWidth(_args: usize, _end: usize): usize {
  const at = heapAllocZeroed(offsetof<Stage>());
  if (at) changetype<Stage>(at).behave(pull, nothing, nothing);
  return at;
}

function pull(at: usize): bool {
  if (!changetype<Stage>(at).pullInput()) return false;
  let p = Token.ptr;
  let end = p + Token.length;
  while (p < end && load<u8>(p) != 0xef) ++p;
  if (p == end) return true;
  const kept = p - Token.ptr;
  const buffer = Token.edit(Token.length);
  if (!buffer) return false;
  p = buffer + kept;
  end = buffer + Token.length;
  // Nothing gets longer, so that it can be written over what was read.
  let out = p;
  while (p < end) {
    const decoded = Utf8.decode(p, end);
    const c = Utf8.codePoint(decoded);
    p += Utf8.bytes(decoded);
    if (c - FULL_WIDTH < FULL_WIDTH_COUNT) {
      out = encodeUtf8(out, c - 0xfee0);
    } else if (c - HALF_WIDTH < HALF_WIDTH_COUNT) {
      const combined = c >= VOICED && out > buffer ? combine(lastCharacter(out, buffer), c) : 0;
      if (combined) encodeUtf8(out - 3, combined);
      else out = encodeUtf8(out, load<u16>(KANA + ((c - HALF_WIDTH) << 1)));
    } else {
      out = encodeUtf8(out, c);
    }
  }
  Token.length = (out - buffer) as u32;
  return true;
}

function lastCharacter(p: usize, first: usize): u32 {
  return Utf8.codePoint(Utf8.decode(Utf8.previous(p, first), p));
}

/** A kana with its mark as one character, 0 if there is none. */
function combine(kana: u32, mark: u32): u32 {
  // Ha to ho come in threes: plain, voiced, half voiced.
  const isHa = kana - 0x30cf <= 12 && (kana - 0x30cf) % 3 == 0;
  if (mark == HALF_VOICED) return isHa ? kana + 2 : 0;
  if (isHa) return kana + 1;
  if (kana == 0x30a6) return 0x30f4;
  // Ka to ti and tu to to alternate with their voiced forms.
  if (kana >= 0x30ab && kana <= 0x30c1) return (kana & 1) != 0 ? kana + 1 : 0;
  if (kana >= 0x30c4 && kana <= 0x30c8) return (kana & 1) == 0 ? kana + 1 : 0;
  if (kana >= 0x30ef && kana <= 0x30f2) return kana + 8;
  return kana == 0x30fd ? 0x30fe : 0;
}
