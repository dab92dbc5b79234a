// Writes test/golden/segment-v2.bin, an image of segment format 2, and test/golden/segment-v2.json, what it was made from.
// Run: npm run build:core && node scripts/make-golden-segment.mjs
// A released image is never written again: it proves that what old versions wrote can still be read.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const FIELDS = [
  { field: 0, flags: 7, analyzer: 1, boost: 1, gap: 0 },
  { field: 3, flags: 7, analyzer: 1, boost: 2.5, gap: 100 },
  { field: 4, flags: 0, analyzer: 0, boost: 1, gap: 0 },
  { field: 7, flags: 5, analyzer: 1, boost: 1, gap: 0 },
  { field: 300, flags: 3, analyzer: 0, boost: 1, gap: 0 },
  // Columns: whole numbers, fractions, ordinals, points; one value each and several, everywhere and here and there.
  { field: 400, flags: 8, analyzer: 0, boost: 1, gap: 0 },
  { field: 401, flags: 16, analyzer: 0, boost: 1, gap: 0 },
  { field: 402, flags: 24, analyzer: 0, boost: 1, gap: 0 },
  { field: 403, flags: 32, analyzer: 0, boost: 1, gap: 0 },
  { field: 404, flags: 24, analyzer: 0, boost: 1, gap: 0 },
];

/** A term of eight bytes that is text too. */
const number = (n) => `@@@@${n}`.padEnd(8, '@');

/** Three segments' worth of documents: frequent, middling and rare terms, lists of all codings, gaps between keys. */
function makeDocs() {
  const docs = [];
  let key = 1000;
  for (let i = 0; i < 900; i++) {
    key += i % 10 === 0 ? 1 + ((i * 37) % 5000) : 1;
    const values = [];
    const words = ['the', i % 2 ? 'quick' : 'slow', `word${i % 23}`, `rare${i}`];
    if (i % 5 === 0) words.push('the', 'fox', 'the');
    if (i % 300 === 7) words.push(...Array.from({ length: 200 }, () => 'again'));
    values.push({ field: 0, text: words.join(' ') });
    if (i % 3 === 0) values.push({ field: 3, text: `title ${i % 40}` }, { field: 3, text: 'second title' });
    values.push({ field: 4, text: ['red', 'grün', 'bleu'][i % 3] });
    if (i % 4 !== 1) values.push({ field: 7, text: `common ${'common '.repeat(i % 7)}${i % 11}` });
    if (i % 50 === 3)
      values.push({ field: 300, text: '' }, { field: 300, text: 'x' }, { field: 300, text: 'x' });
    values.push({ field: 400, text: number((i * 7919) % 1000) });
    if (i % 3 === 0) values.push({ field: 401, text: number(i) });
    if (i % 6 === 0) values.push({ field: 401, text: number(i % 10) });
    if (i % 2 === 0) values.push({ field: 402, text: ['rouge', 'verte', 'bleue'][i % 3] });
    if (i % 4 !== 0) values.push({ field: 403, text: number(i) + number(i % 77) });
    for (let n = 0; n < i % 4; n++) values.push({ field: 404, text: `tag${(i + n * n) % 13}` });
    docs.push({ key, values });
  }
  return docs;
}

function batchOf(docs, deletions) {
  const parts = [];
  for (const key of deletions) {
    const part = Buffer.alloc(9);
    part.writeUInt8(2, 0);
    part.writeBigUInt64LE(BigInt(key), 1);
    parts.push(part);
  }
  for (const { key, values } of docs) {
    const body = Buffer.concat(
      values.map(({ field, text }) => {
        const head = Buffer.alloc(6);
        head.writeUInt16LE(field, 0);
        head.writeUInt32LE(Buffer.byteLength(text), 2);
        return Buffer.concat([head, Buffer.from(text)]);
      }),
    );
    const head = Buffer.alloc(13);
    head.writeUInt8(1, 0);
    head.writeBigUInt64LE(BigInt(key), 1);
    head.writeUInt32LE(body.length, 9);
    parts.push(head, body);
  }
  return Buffer.concat(parts);
}

const { instance } = await WebAssembly.instantiate(readFileSync('build/resilin.wasm'), {});
const core = instance.exports;
const shard = core.shardCreate();
for (const f of FIELDS) core.fieldDefine(shard, f.field, f.flags, f.analyzer, f.boost, f.gap);

function finish(until) {
  for (let left = 1; left > until; ) {
    left = core.work(shard, 1 << 20);
    if (left < 0) throw new Error(`work: ${left}`);
  }
}

const docs = makeDocs();
const deleted = docs.filter((_, i) => i % 17 === 4).map((doc) => doc.key);
for (let i = 0; i < docs.length; i += 300) {
  const batch = batchOf(docs.slice(i, i + 300), i === 600 ? deleted : []);
  const ptr = core.heapAlloc(batch.length) >>> 0;
  new Uint8Array(core.memory.buffer, ptr, batch.length).set(batch);
  const status = core.apply(shard, ptr, batch.length);
  if (status < 0) throw new Error(`apply: ${status}`);
  core.refresh(shard);
  finish(0);
}
core.forceMerge(shard, 1);
finish(0);
core.segmentImage(shard, 0);
const image = new Uint8Array(core.memory.buffer, core.resultPtr() >>> 0, core.resultLength() >>> 0).slice();
const gone = new Set(deleted.filter((key) => key < docs[600].key));
mkdirSync('test/golden', { recursive: true });
writeFileSync('test/golden/segment-v2.bin', image);
writeFileSync(
  'test/golden/segment-v2.json',
  `${JSON.stringify({ fields: FIELDS, docs: docs.filter((doc) => !gone.has(doc.key)) }).replaceAll('{"key"', '\n{"key"')}\n`,
);
console.log(`test/golden/segment-v2.bin: ${image.length} bytes, ${docs.length - gone.size} documents`);
