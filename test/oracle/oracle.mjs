/**
 * Asks Lucene 4.10.4 itself: compiles java/ or search/ against its jars, once, and runs it; README.md says what is needed. For the makers
 * of fixtures, and for whoever wants to know.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

const root = path.resolve(import.meta.dirname, '../..');
const CACHE = path.join(root, 'node_modules/.cache/resilin-oracle');
/** Jars by the beginnings of their names: Maven and Debian call some of them differently. */
const JARS = [
  ...['core', 'analyzers-common', 'suggest', 'queries', 'queryparser', 'expressions'].map(
    (name) => `lucene-${name}`,
  ),
  ...['jackson-annotations', 'jackson-core', 'jackson-databind'],
  ...['antlr3-runtime|antlr-runtime', 'asm', 'asm-commons'],
];
/** Debian's packages with these. */
const PACKAGES = [
  'liblucene4.10-java',
  ...['libjackson2-annotations-java', 'libjackson2-core-java', 'libjackson2-databind-java'],
  ...['libantlr3-runtime-java', 'libasm-java'],
];

/** The jars in a folder; undefined where one is missing. */
function jarsIn(folder) {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const jars = JARS.map((name) =>
    files.find((file) => new RegExp(`^(${name})(-\\d[\\w.]*)?\\.jar$`).test(file)),
  );
  return jars.includes(undefined) ? undefined : jars.map((file) => path.join(folder, file));
}

/** All jars, of the folder `LUCENE_JARS` or of one that is filled out of Debian's packages, which are unpacked and not installed. */
function allJars() {
  const given = process.env.LUCENE_JARS;
  const folder = given ?? path.join(CACHE, 'jars');
  const there = jarsIn(folder);
  if (there !== undefined) return there;
  if (given !== undefined) throw new Error(`LUCENE_JARS: ${given} doesn't hold all of ${JARS.join(', ')}`);
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(path.join(CACHE, 'packages-'));
  try {
    execFileSync('apt-get', ['download', ...PACKAGES], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
    for (const file of readdirSync(work)) execFileSync('dpkg', ['-x', file, 'root'], { cwd: work });
    rmSync(folder, { recursive: true, force: true });
    renameSync(path.join(work, 'root/usr/share/java'), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return jarsIn(folder);
}

/** The classes of a folder beside this file, compiled when their sources have changed, and the jars, as a class path. */
export function classPath(program) {
  const jars = allJars();
  const folder = path.join(import.meta.dirname, program);
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.java'))
    .sort()
    .map((name) => path.join(folder, name));
  const hash = createHash('sha256');
  for (const file of sources) hash.update(readFileSync(file));
  const classes = path.join(CACHE, `${program}-${hash.digest('hex').slice(0, 16)}`);
  if (!existsSync(classes)) {
    mkdirSync(CACHE, { recursive: true });
    const work = mkdtempSync(path.join(CACHE, 'compiled-'));
    const options = ['-Xlint:-deprecation', '-nowarn', '-encoding', 'UTF-8', '-d', work];
    execFileSync('javac', [...options, '-cp', jars.join(path.delimiter), ...sources], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    renameSync(work, classes);
  }
  return [classes, ...jars].join(path.delimiter);
}

/** Puts questions (java/Oracle.java), all to one virtual machine: the answer of each. */
export function ask(questions) {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
  const options = ['-Xmx2g', '-Dfile.encoding=UTF-8', '-cp', classPath('java'), 'Oracle'];
  const output = execFileSync('java', options, { input, maxBuffer: 2 ** 31 - 1 }).toString('utf8');
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * Searches a corpus (search/README.md): the answer to each query.
 * @param files `corpus`, `spec` and `queries`, and other options of the command with their values, such as `top` and `shards`
 * @param flags options without a value, such as `--in-order`
 */
export function search(files, flags = []) {
  const args = Object.entries(files).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const options = ['-Xmx2g', '-cp', classPath('search'), 'search.Search', 'search', ...args, ...flags];
  return execFileSync('java', options, { maxBuffer: 2 ** 31 - 1 })
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const checks = process.argv.includes('--check');

/** Writes a fixture; with `--check` it only says whether it is another one than stands there. What ends in `.gz` is packed. */
export function fixture(url, text) {
  const file = fileURLToPath(url);
  const packed = file.endsWith('.gz');
  if (!checks) {
    writeFileSync(file, packed ? gzipSync(text, { level: 9 }) : text);
    return;
  }
  const before = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  if (text === (packed && before.length > 0 ? gunzipSync(before) : before).toString('utf8')) return;
  process.stderr.write(`${path.relative(root, file)} is not what Lucene says today\n`);
  process.exitCode = 1;
}

/** The lines of a fixture, which is packed where its name ends in `.gz`. */
export function linesOf(url) {
  const bytes = readFileSync(url);
  return (fileURLToPath(url).endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split('\n');
}
