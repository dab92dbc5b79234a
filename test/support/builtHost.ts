/**
 * The host that tests import is the built one, as Node loads its modules in a third of the time that vitest takes to transform and load
 * their sources. test/globalSetup.ts builds what has changed of it; traces of errors show the sources.
 */
import { existsSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import type { Plugin } from 'vitest/config';

export const ROOT = resolve(import.meta.dirname, '../..');
/** With `RESILIN_CORE=debug` the build whose core is the debug core. */
export const CHECKED = process.env.RESILIN_CORE === 'debug';
export const BUILD = resolve(ROOT, CHECKED ? 'build/checked/build' : 'build');
/** Modules that Node is to load by itself. */
export const BUILT_MODULES = /\/build\/js\/host\//;

const SOURCES = resolve(ROOT, 'host') + sep;

/** Resolves what a test imports of the host to the built module. */
export function builtHost(): Plugin {
  return {
    name: 'built host',
    enforce: 'pre',
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith('.')) return undefined;
      const file = resolve(dirname(importer), source);
      if (!file.startsWith(SOURCES) || !file.endsWith('.js') || existsSync(file)) return undefined;
      return resolve(BUILD, 'js/host', file.slice(SOURCES.length));
    },
  };
}
