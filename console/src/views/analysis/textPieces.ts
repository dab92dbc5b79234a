/** Long texts in pieces: all tokens of all stages of one piece are shown at a time. */

/** UTF-16 units of a piece, at most. */
export const PIECE = 5000;
/** The last of a piece in which a better place to cut is looked for. */
const MARGIN = 500;

/** Where each piece begins; cut at white space where there is some, never within a surrogate pair. */
export function pieceStarts(text: string): number[] {
  const starts = [0];
  for (let at = 0; text.length - at > PIECE; ) {
    at = cutAt(text, at + PIECE);
    starts.push(at);
  }
  return starts;
}

function cutAt(text: string, end: number): number {
  for (let at = end; at > end - MARGIN; at--) if (/\s/.test(text[at - 1]!)) return at;
  const unit = text.charCodeAt(end);
  return unit >= 0xdc00 && unit <= 0xdfff ? end - 1 : end;
}
