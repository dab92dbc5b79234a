import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A module compiled now, optimised as the product is: for what is not part of the kernels' build. */
export function compile(entry: string, outFile: string): WebAssembly.Module {
  const compiler = 'node_modules/assemblyscript/bin/asc.js';
  const flags = ['--config', 'asconfig.json', '--target', 'release', '--outFile', outFile];
  execFileSync(process.execPath, [compiler, entry, ...flags]);
  return new WebAssembly.Module(readFileSync(outFile));
}
