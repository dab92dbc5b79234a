import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** A page that runs one module; bare imports are resolved by an import map. */
export interface Page {
  readonly module: string;
  readonly imports: Readonly<Record<string, string>>;
}

/** Serves `page` at `/` and the named folders of `root` on a loopback port. */
export async function serve(
  root: string,
  folders: readonly string[],
  page: Page,
): Promise<{ url: string; close: () => Promise<void> }> {
  const html = `<!doctype html><meta charset="utf-8"><title>Resilin</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: page.imports })}</script>
<script type="module" src="${page.module}"></script>`;
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    if (path === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
      return;
    }
    try {
      if (!folders.some((folder) => path.startsWith(`/${folder}/`))) throw new Error('not served');
      const bytes = await readFile(join(root, path));
      response
        .writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' })
        .end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
