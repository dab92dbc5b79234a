/** Types as who uses the package sees them. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiler } from '../../scripts/builder/typescript.mjs';

let projects = 0;

/**
 * What TypeScript's compiler complains of in some files under strict, in its own words; nothing where all is well.
 *
 * @param folder in which they are; a project is written there
 * @param options as in `tsconfig.json`
 */
export function typeProblems(folder: string, files: readonly string[], options: object): Promise<string> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipDefaultLibCheck: true,
    target: 'ES2022',
    ...options,
  };
  const project = join(folder, `tsconfig.${projects++}.json`);
  writeFileSync(project, JSON.stringify({ compilerOptions, files }));
  return new Promise((done, fail) => {
    execFile(process.execPath, [compiler, '-p', project, '--pretty', 'false'], (error, stdout, stderr) => {
      // A compiler that has not looked at anything says nothing of types.
      if (error !== null && stdout === '') fail(new Error(stderr, { cause: error }));
      else done(stdout);
    });
  });
}
