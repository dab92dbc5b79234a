import { execFileSync } from 'node:child_process';
import { it } from 'vitest';

it('the tables are what the generator writes', () => {
  execFileSync(process.execPath, ['scripts/generate-unicode.mjs', '--check'], { stdio: 'pipe' });
});
