/**
 * Asks Lucene 4.10.4 itself: compiles java/ against its jars, once, and runs it; README.md says what is needed. For the makers of
 * fixtures, and for whoever wants to know.
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
const JAVA = path.join(import.meta.dirname, 'java');
const CACHE = path.join(root, 'node_modules/.cache/resilin-oracle');
const VERSION = '4.10.4';
/** What is used of Lucene, by the names of its jars and of its artifacts in Maven's group org.apache.lucene. */
const ARTIFACTS = ['lucene-core', 'lucene-analyzers-common', 'lucene-suggest'];
/** Debian's package with these. */
const PACKAGE = 'liblucene4.10-java';

const hasJars = (folder) => existsSync(path.join(folder, `lucene-core-${VERSION}.jar`));

/** A folder with the jars: `LUCENE_JARS`, or one that is filled out of Debian's package, which is unpacked and not installed. */
function jarFolder() {
  const given = process.env.LUCENE_JARS;
  if (given !== undefined) {
    if (!hasJars(given)) throw new Error(`LUCENE_JARS: no lucene-core-${VERSION}.jar in ${given}`);
    return given;
  }
  const folder = path.join(CACHE, 'jars');
  if (hasJars(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(path.join(CACHE, 'packages-'));
  try {
    execFileSync('apt-get', ['download', PACKAGE], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
    for (const file of readdirSync(work)) execFileSync('dpkg', ['-x', file, 'root'], { cwd: work });
    rmSync(folder, { recursive: true, force: true });
    renameSync(path.join(work, 'root/usr/share/java'), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

/** The classes of java/, compiled when their sources have changed, and Lucene's, as a class path. */
function classPath() {
  const folder = jarFolder();
  const jars = ARTIFACTS.map((name) => path.join(folder, `${name}-${VERSION}.jar`));
  const sources = readdirSync(JAVA)
    .filter((name) => name.endsWith('.java'))
    .sort()
    .map((name) => path.join(JAVA, name));
  const hash = createHash('sha256');
  for (const file of sources) hash.update(readFileSync(file));
  const classes = path.join(CACHE, `classes-${hash.digest('hex').slice(0, 16)}`);
  if (!existsSync(classes)) {
    mkdirSync(CACHE, { recursive: true });
    const work = mkdtempSync(path.join(CACHE, 'compiled-'));
    const options = [
      '-Xlint:-deprecation',
      '-nowarn',
      '-encoding',
      'UTF-8',
      '-d',
      work,
      '-cp',
      jars.join(path.delimiter),
    ];
    execFileSync('javac', [...options, ...sources], { stdio: ['ignore', 'inherit', 'inherit'] });
    renameSync(work, classes);
  }
  return [classes, ...jars].join(path.delimiter);
}

/** Puts questions (java/Oracle.java), all to one virtual machine: the answer of each. */
export function ask(questions) {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
  const options = ['-Xmx2g', '-Dfile.encoding=UTF-8', '-cp', classPath(), 'Oracle'];
  const output = execFileSync('java', options, { input, maxBuffer: 2 ** 31 - 1 }).toString('utf8');
  return output
    .split('\n')
    .filter((line) => line !== '')
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
