import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const BUILD = resolve(root, 'scripts/build.mjs');

/** The whole core, and its low-level modules as exports of their own (assembly/testing/). */
export type CoreName = 'resilin' | 'kernelLibrary' | 'testing';
export type Build = 'debug' | 'release';
export const BUILDS: readonly Build[] = ['debug', 'release'];

/** Where the cores of today's sources are or will be: once for all test files (test/globalSetup.ts), else found out when asked. */
async function cacheFiles(): Promise<Record<string, string>> {
  const known = process.env.RESILIN_CORES ?? (await run(process.execPath, [BUILD, 'cache'])).stdout;
  return JSON.parse(known);
}

/**
 * The file of a core compiled from today's sources, which nobody changes. What isn't compiled yet is compiled now, once, however many ask.
 * Ask while a test file is imported: there a compiler's time is no test's time.
 */
export async function coreFile(name: CoreName, build: Build): Promise<string> {
  const file = (await cacheFiles())[`${name}.${build}`]!;
  if (!existsSync(file)) await run(process.execPath, [BUILD, 'cached', name, build]);
  return file;
}

/** The bytes of a core in both builds. */
export async function coreBuilds(name: CoreName): Promise<Record<Build, Buffer<ArrayBuffer>>> {
  const [debug, release] = await Promise.all([coreFile(name, 'debug'), coreFile(name, 'release')]);
  return { debug: readFileSync(debug), release: readFileSync(release) };
}

/** A core in both builds, compiled by the engine that runs it. */
export async function coreModules(name: CoreName): Promise<Record<Build, WebAssembly.Module>> {
  const { debug, release } = await coreBuilds(name);
  return { debug: new WebAssembly.Module(debug), release: new WebAssembly.Module(release) };
}

/** What cores import that are made without a host: they may take what they need. */
export const coreHost = { admits: () => 1, interrupted: () => 0 };

/**
 * The exports of an instance of the low-level modules.
 *
 * @param maximumPages pages of 64 KiB that its memory ends at
 * @param held bytes that are held back when they are released, in the debug build
 */
export function testingCore<E>(
  module: WebAssembly.Module,
  { maximumPages = 65536, held = 0 }: { maximumPages?: number; held?: number } = {},
): E {
  const memory = new WebAssembly.Memory({ initial: 32, maximum: maximumPages });
  const { exports } = new WebAssembly.Instance(module, { env: { memory }, host: coreHost });
  (exports.holdReleased as (bytes: number) => void)(held);
  return exports as E;
}
