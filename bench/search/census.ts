/**
 * What a segment's image is made of, read from its bytes as `assembly/segment/README.md` draws them. Used for bytes per
 * posting; nothing here is timed.
 */
export interface Census {
  readonly documents: number;
  readonly terms: number;
  /** Pairs of a term and a document, over all fields. */
  readonly postings: number;
  readonly bytes: {
    readonly image: number;
    readonly keys: number;
    readonly dictionary: number;
    readonly postings: number;
    readonly positions: number;
    readonly norms: number;
  };
}

const HEADER = 96;
const FIELD_ENTRY = 48;
const TERMS_PER_BLOCK = 32;

export function census(image: Uint8Array): Census {
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  const u32 = (at: number): number => view.getUint32(at, true);
  const documents = u32(24);
  const fields = u32(28);
  const table = u32(48);
  const bytes = { image: image.length, keys: 0, dictionary: 0, postings: 0, positions: 0, norms: 0 };
  let terms = 0;
  let postings = 0;
  for (let i = 0; i < fields; i++) {
    const entry = table + i * FIELD_ENTRY;
    const fieldTerms = u32(entry + 4);
    terms += fieldTerms;
    postings += sumOfFrequencies(image, view, entry, fieldTerms);
    bytes.dictionary += u32(entry + 12) + 4 * u32(entry + 20);
    bytes.postings += u32(entry + 28);
    bytes.positions += u32(entry + 36);
    if (u32(entry + 40) !== 0) bytes.norms += documents;
  }
  bytes.keys = Math.ceil((documents * u32(44)) / 8);
  if (table < HEADER) throw new Error('not a segment image');
  return { documents, terms, postings, bytes };
}

/** Adds up the document frequencies of a field's dictionary. */
function sumOfFrequencies(image: Uint8Array, view: DataView, entry: number, terms: number): number {
  const blocks = view.getUint32(entry + 8, true);
  const index = view.getUint32(entry + 16, true);
  let at = 0;
  const vint = (): number => {
    let value = 0;
    let shift = 0;
    for (;;) {
      const byte = image[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
      shift += 7;
    }
  };
  let sum = 0;
  for (let term = 0; term < terms; term++) {
    const inBlock = term % TERMS_PER_BLOCK;
    if (inBlock === 0) at = blocks + view.getUint32(index + (term / TERMS_PER_BLOCK) * 4, true);
    else vint();
    const rest = vint();
    at += rest;
    sum += vint();
    vint();
  }
  return sum;
}
