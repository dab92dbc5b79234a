/**
 * Serves the playground of `dist/playground/` on the loopback interface, as any static web server can; `npm run playground` builds it first.
 *
 *     node scripts/playground.mjs [--port 9280]
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { preview } from 'vite';

const { values } = parseArgs({ options: { port: { type: 'string', default: '9280' } } });
const folder = path.join(import.meta.dirname, '../dist/playground');
const server = await preview({
  configFile: false,
  root: path.dirname(folder),
  build: { outDir: folder },
  preview: { host: '127.0.0.1', port: Number(values.port), strictPort: false },
});
console.log(`The playground is at ${server.resolvedUrls.local[0]}`);
