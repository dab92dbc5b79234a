/**
 * The console's files over HTTP: a folder that `npm run build` made of console/. They hold nothing of anybody's, so whoever may connect may
 * have them; what the console then asks for is answered like any other client's request.
 */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SitePlugin } from '../../rest/cluster/node.js';
import { VERSION } from '../../version.js';

/** A file as it is answered, or where else to look. */
export interface ConsoleAnswer {
  status: 200 | 302 | 404;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Where the console is. */
export const CONSOLE_PATH = '/_console/';

/** The console as `_cat/plugins` and `_nodes` tell of it. */
export const CONSOLE_PLUGIN: SitePlugin = {
  name: 'console',
  version: VERSION,
  description: 'Shows what indices hold, what a text becomes, why a hit ranks where it does.',
  url: CONSOLE_PATH,
};

/** Site plugins of 1.x that people have bookmarked, and the view that does the same; the console is told of as one of them. */
const OLD_PLUGINS: Readonly<Record<string, string>> = {
  console: '',
  head: '',
  kopf: '',
  bigdesk: '',
  marvel: '#/requests',
  sense: '#/requests',
};

/**
 * Scripts, styles and requests of this origin alone, nothing inline, no frames around it. The playground's engine isn't served from here, so
 * nothing is compiled.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SAFE = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const NOTHING = new Uint8Array(0);

/** The folder of the built console: beside the program in the package, beside its modules in the repository. Undefined where none was built. */
export function builtConsole(): string | undefined {
  return ['../console/', '../../../../console/']
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((folder) => existsSync(path.join(folder, 'index.html')));
}

/** The folder that is served. @param setting as in `HttpSettings.console` */
export function consoleFolder(setting: false | string | undefined): string | undefined {
  return setting === false ? undefined : (setting ?? builtConsole());
}

/** Answers requests for the console. */
export class ConsoleFiles {
  readonly #folder: string;
  /** Names of the files that there are: what isn't among them isn't looked for. */
  #names: ReadonlySet<string> | undefined;

  /** @param folder as {@link builtConsole} finds it */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The answer to a request, if it is one for the console; undefined for all others. */
  answer(
    method: string,
    uri: string,
    headers: IncomingHttpHeaders,
  ): Promise<ConsoleAnswer> | ConsoleAnswer | undefined {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (uri === '/')
      return prefersHtml(headers) ? redirect(CONSOLE_PATH, { vary: 'accept, sec-fetch-mode' }) : undefined;
    if (!uri.startsWith('/_console') && !uri.startsWith('/_plugin/')) return undefined;
    const [asked = ''] = uri.split('?', 1);
    const plugin = /^\/_plugin\/([a-z]+)(\/.*)?$/.exec(asked)?.[1];
    if (plugin !== undefined) {
      const view = Object.hasOwn(OLD_PLUGINS, plugin) ? OLD_PLUGINS[plugin] : undefined;
      return view === undefined ? undefined : redirect(`${CONSOLE_PATH}${view}`);
    }
    if (asked === CONSOLE_PATH.slice(0, -1)) return redirect(CONSOLE_PATH);
    if (!asked.startsWith(CONSOLE_PATH)) return undefined;
    return this.#file(asked.slice(CONSOLE_PATH.length) || 'index.html', headers);
  }

  async #file(name: string, headers: IncomingHttpHeaders): Promise<ConsoleAnswer> {
    this.#names ??= new Set(
      readdirSync(this.#folder, { recursive: true }).map((each) => String(each).replaceAll(path.sep, '/')),
    );
    const type = TYPES[path.posix.extname(name)];
    if (type === undefined || !this.#names.has(name)) {
      return {
        status: 404,
        headers: { ...SAFE, 'content-type': 'text/plain; charset=utf-8' },
        body: NOTHING,
      };
    }
    const isPacked =
      this.#names.has(`${name}.gz`) && /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
    const body = await readFile(path.join(this.#folder, isPacked ? `${name}.gz` : name));
    return {
      status: 200,
      headers: {
        ...SAFE,
        'content-type': type,
        // Names of assets have a hash of what they are.
        'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        vary: 'accept-encoding',
        ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
      },
      body,
    };
  }
}

/** Whether a person looks: a browser goes to a page, or says that it would rather have HTML. */
function prefersHtml(headers: IncomingHttpHeaders): boolean {
  if (headers['sec-fetch-mode'] !== undefined) return headers['sec-fetch-mode'] === 'navigate';
  let html = 0;
  let json = 0;
  for (const part of String(headers.accept ?? '')
    .split(',')
    .slice(0, 32)) {
    const [type = '', ...parameters] = part.split(';').map((each) => each.trim());
    const given = parameters.find((each) => each.startsWith('q='))?.slice(2);
    const quality = given === undefined ? 1 : Number(given);
    if (type === 'text/html') html = quality;
    else if (type === 'application/json' || type === '*/*') json = Math.max(json, quality);
  }
  return html > json;
}

function redirect(location: string, headers: Record<string, string> = {}): ConsoleAnswer {
  return {
    status: 302,
    headers: { ...SAFE, ...headers, location, 'cache-control': 'no-cache' },
    body: NOTHING,
  };
}
