/**
 * npm run bench:analysis: how fast do whole texts become terms, beside Lucene 4.10.4?
 *
 * Measured: chains of the core (`standard`, `english`, and grams of three letters) over every text of a corpus, from UTF-8 to
 * terms with their hashes, and the same in Lucene on the JVM (bench/analysis/LuceneAnalysis.java), each the best of several
 * passes over all texts, so that both have warmed up. Not measured: offsets, the term table, copying texts in.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AnalyzerRegistry } from '../host/analysis/registry.js';
import { flatSettings } from '../host/settings/indexSettings.js';
import { compile } from './analysis/compile.js';
import { corpusLines } from './search/corpus.js';

const HELP = `bench:analysis -- --corpus FILE... [--lucene FOLDER] [--seconds 5] [--limit 50000]

  --corpus FILE     JSON lines, gzipped or not; every string in a document is a text
  --lucene FOLDER   the jars lucene-core-4.10.4 and lucene-analyzers-common-4.10.4 are in it; needs a JDK
  --seconds N       passes go on for so long, per analyzer
  --limit N         documents`;

interface Exports {
  memory: WebAssembly.Memory;
  requestAlloc(bytes: number): number;
  analyzerDefine(ptr: number, length: number): number;
  tokenizeAll(texts: number, lengths: number, count: number): number;
  chainAll(analyzer: number, texts: number, lengths: number, count: number): number;
}

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', multiple: true },
    lucene: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    limit: { type: 'string', default: '50000' },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: false,
});

/** Every string of a document. */
function* strings(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* strings(each);
  }
}

async function readTexts(files: string[], limit: number): Promise<Uint8Array[]> {
  const utf8 = new TextEncoder();
  const texts: Uint8Array[] = [];
  for await (const line of corpusLines(files, limit)) {
    for (const text of strings(JSON.parse(line))) texts.push(utf8.encode(text));
  }
  return texts;
}

/** Bytes a second of the best pass. */
function best(bytes: number, seconds: number, pass: () => number): { rate: number; tokens: number } {
  let rate = 0;
  let tokens = 0;
  const end = performance.now() + seconds * 1000;
  do {
    const start = performance.now();
    tokens = pass();
    rate = Math.max(rate, bytes / ((performance.now() - start) / 1000));
  } while (performance.now() < end);
  return { rate, tokens };
}

function lucene(folder: string, texts: readonly Uint8Array[], seconds: number): Map<string, number> {
  const work = mkdtempSync(join(tmpdir(), 'resilin-bench-'));
  try {
    const parts = texts.flatMap((text) => {
      const length = Buffer.alloc(4);
      length.writeInt32BE(text.length);
      return [length, text];
    });
    writeFileSync(join(work, 'texts'), Buffer.concat(parts));
    const jars = readdirSync(folder).filter((name) =>
      /^lucene-(core|analyzers-common)-4\.10\.4\.jar$/.test(name),
    );
    const classpath = jars.map((name) => join(folder, name)).join(':');
    const program = 'bench/analysis/LuceneAnalysis.java';
    const args = ['-Xmx2g', '-cp', classpath, program, join(work, 'texts'), String(seconds)];
    const out = execFileSync('java', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    return new Map(
      out
        .trim()
        .split('\n')
        .map((line) => line.split(' '))
        .map(([name, rate]) => [name!, Number(rate)]),
    );
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function main(): Promise<void> {
  if (values.help || values.corpus === undefined) {
    console.log(HELP);
    return;
  }
  const seconds = Number(values.seconds);
  const texts = await readTexts(values.corpus, Number(values.limit));
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  console.log(`${texts.length} texts, ${(bytes / 1e6).toFixed(1)} MB`);

  const core = new WebAssembly.Instance(
    compile('assembly/testing/analysis.ts', 'build/analysis.release.wasm'),
    { host: { admits: () => 1 } },
  ).exports as unknown as Exports;
  const put = (block: Uint8Array): number => {
    const ptr = core.requestAlloc(block.length) >>> 0;
    if (ptr === 0) throw new Error('no memory for the texts');
    new Uint8Array(core.memory.buffer).set(block, ptr);
    return ptr;
  };
  const textsPtr = put(Buffer.concat(texts));
  const lengthsPtr = put(new Uint8Array(Uint32Array.from(texts, (text) => text.length).buffer));
  const registry = new AnalyzerRegistry(
    () => ({ tokens: [], rest: 0 }),
    flatSettings({
      analysis: {
        filter: { three: { type: 'ngram', min_gram: 3, max_gram: 3 } },
        analyzer: { ngram: { tokenizer: 'standard', filter: ['lowercase', 'three'] } },
      },
    }),
  );
  const theirs =
    values.lucene === undefined ? new Map<string, number>() : lucene(values.lucene, texts, seconds);
  console.log('analyzer        tokens   MB/s  Lucene MB/s  ratio');
  for (const name of ['standard', 'english', 'ngram']) {
    const chain = registry.core(name);
    const analyzer = typeof chain === 'number' ? chain : core.analyzerDefine(put(chain), chain.length);
    if (analyzer < 0) throw new Error(`${name}: status ${analyzer}`);
    const { rate, tokens } = best(bytes, seconds, () =>
      core.chainAll(analyzer, textsPtr, lengthsPtr, texts.length),
    );
    const lucenes = theirs.get(name);
    const mb = (value: number | undefined) => (value === undefined ? '-' : (value / 1e6).toFixed(0));
    const ratio = lucenes === undefined ? '-' : `${(rate / lucenes).toFixed(2)} x`;
    console.log(
      `${name.padEnd(12)}${String(tokens >>> 0).padStart(10)}${mb(rate).padStart(7)}${mb(lucenes).padStart(13)}${ratio.padStart(8)}`,
    );
  }
}

await main();
