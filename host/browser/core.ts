/** Finds and compiles the core where files are reached by URL. */

/**
 * Beside the file that the package's build makes of this module: bundlers look for just that expression. In a classic script, which doesn't
 * know its URL, beside the page or the worker.
 */
export const coreUrl = (): URL =>
  import.meta.url === undefined
    ? new URL(CORE_FILE, location.href)
    : new URL('./resilin.wasm', import.meta.url);

const CORE_FILE = 'resilin.wasm';

/** What helps where the core isn't found. */
const HELP =
  'put the file of resilin/resilin.wasm there, or hand it over: createEngine({ wasm }); see docs/embedding.md';

/** The compiled core: of its file, or, where a bundler left that behind, of the bundle's JavaScript. Throws where neither is there. */
export async function compileAnyCore(): Promise<WebAssembly.Module> {
  const inlined = async () => (await import('./inlinedCore.js')).compileInlinedCore();
  if (!isLeftBehind()) return compileCore().catch((e) => inlined().catch(() => Promise.reject(e)));
  return inlined().catch(compileCore);
}

/**
 * Whether this code is in a file of another name, and the core's name is what it was: bundlers that know of the core's file give it another
 * one. Where this errs, one request more is made.
 */
function isLeftBehind(): boolean {
  const { url } = import.meta;
  return (
    url === undefined ||
    (!/\/(resilin|core)\.js$/.test(new URL(url).pathname) && coreUrl().pathname.endsWith(CORE_FILE))
  );
}

/** The compiled core. Throws where its file isn't beside this one. */
export function compileCore(): Promise<WebAssembly.Module> {
  return compileCoreFrom(() => fetch(coreUrl()));
}

/** The same, where its file is got in another way. */
export function compileCoreFrom(get: () => Promise<Response>): Promise<WebAssembly.Module> {
  return compileFrom(coreUrl(), get, HELP);
}

/** A compiled module of the package. @param help what helps where it isn't found */
export async function compileFrom(
  url: URL,
  get: () => Promise<Response>,
  help: string,
): Promise<WebAssembly.Module> {
  let response: Response;
  try {
    response = await get();
  } catch (cause) {
    throw new Error(`${url} can't be fetched; ${help}`, { cause });
  }
  if (!response.ok) throw new Error(`${url} answers with ${response.status}; ${help}`);
  if (response.headers.get('content-type') === 'application/wasm')
    return WebAssembly.compileStreaming(response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // A development server may answer with its page for what it doesn't have.
  if (!isWasm(bytes)) throw new Error(`${url} is no WebAssembly; ${help}`);
  return WebAssembly.compile(bytes);
}

/** Whether bytes begin as WebAssembly does. */
function isWasm(bytes: Uint8Array): boolean {
  return [0x00, 0x61, 0x73, 0x6d].every((byte, at) => bytes[at] === byte);
}
