import { execFileSync } from 'node:child_process';
import { it } from 'vitest';

it.each([
  'generate-constants.mjs',
  'generate-unicode.mjs',
  'generate-categories.mjs',
  'generate-characters.mjs',
  'generate-html.mjs',
  'generate-stop-words.mjs',
  'generate-kstem.mjs',
  'generate-hyperloglog.mjs',
  'generate-lz4.mjs',
])('the tables are what %s writes', (script) => {
  execFileSync(process.execPath, [`scripts/${script}`, '--check'], { stdio: 'pipe' });
});
