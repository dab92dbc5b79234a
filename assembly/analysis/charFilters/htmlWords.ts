/** Words of HTML that the html_strip char filter knows, in lists of `u8 length, bytes` that end with a length of 0. */

/** a, b, i, q, s, u, abbr, acronym, basefont, bdo, big, cite, code, dfn, em, font, img, input, kbd, label, samp, select, small, span, strike, strong, sub, sup, textarea, tt, var. */
// biome-ignore format: a table
export const INLINE_ELEMENTS: usize = memory.data<u8>([
  1, 97, 1, 98, 1, 105, 1, 113, 1, 115, 1, 117, 4, 97, 98, 98, 114, 7, 97, 99, 114, 111, 110, 121, 109, 8,
  98, 97, 115, 101, 102, 111, 110, 116, 3, 98, 100, 111, 3, 98, 105, 103, 4, 99, 105, 116, 101, 4, 99, 111, 100, 101,
  3, 100, 102, 110, 2, 101, 109, 4, 102, 111, 110, 116, 3, 105, 109, 103, 5, 105, 110, 112, 117, 116, 3, 107, 98, 100,
  5, 108, 97, 98, 101, 108, 4, 115, 97, 109, 112, 6, 115, 101, 108, 101, 99, 116, 5, 115, 109, 97, 108, 108, 4, 115,
  112, 97, 110, 6, 115, 116, 114, 105, 107, 101, 6, 115, 116, 114, 111, 110, 103, 3, 115, 117, 98, 3, 115, 117, 112, 8,
  116, 101, 120, 116, 97, 114, 101, 97, 2, 116, 116, 3, 118, 97, 114, 0,
]);

/** onabort, onblur, onchange, onclick, ondblclick, onerror, onfocus, onkeydown, onkeypress, onkeyup, onload, onmousedown, onmousemove, onmouseout, onmouseover, onmouseup, onreset, onselect, onsubmit, onunload. */
// biome-ignore format: a table
export const EVENT_ATTRIBUTES: usize = memory.data<u8>([
  7, 111, 110, 97, 98, 111, 114, 116, 6, 111, 110, 98, 108, 117, 114, 8, 111, 110, 99, 104, 97, 110, 103, 101, 7, 111,
  110, 99, 108, 105, 99, 107, 10, 111, 110, 100, 98, 108, 99, 108, 105, 99, 107, 7, 111, 110, 101, 114, 114, 111, 114, 7,
  111, 110, 102, 111, 99, 117, 115, 9, 111, 110, 107, 101, 121, 100, 111, 119, 110, 10, 111, 110, 107, 101, 121, 112, 114, 101,
  115, 115, 7, 111, 110, 107, 101, 121, 117, 112, 6, 111, 110, 108, 111, 97, 100, 11, 111, 110, 109, 111, 117, 115, 101, 100,
  111, 119, 110, 11, 111, 110, 109, 111, 117, 115, 101, 109, 111, 118, 101, 10, 111, 110, 109, 111, 117, 115, 101, 111, 117, 116,
  11, 111, 110, 109, 111, 117, 115, 101, 111, 118, 101, 114, 9, 111, 110, 109, 111, 117, 115, 101, 117, 112, 7, 111, 110, 114,
  101, 115, 101, 116, 8, 111, 110, 115, 101, 108, 101, 99, 116, 8, 111, 110, 115, 117, 98, 109, 105, 116, 8, 111, 110, 117,
  110, 108, 111, 97, 100, 0,
]);
export const LONGEST_EVENT_ATTRIBUTE: u32 = 11;
export const SHORTEST_EVENT_ATTRIBUTE: u32 = 6;

/** br, script, style, [cdata[. */
export const BR: usize = memory.data<u8>([98, 114]);
export const SCRIPT: usize = memory.data<u8>([115, 99, 114, 105, 112, 116]);
export const STYLE: usize = memory.data<u8>([115, 116, 121, 108, 101]);
