/** Finds and compiles the core where files are reached by URL. */

/** Beside the file that the package's build makes of this module; bundlers look for just this expression. */
export const coreUrl = (): URL => new URL('./resilin.wasm', import.meta.url);

/** What helps where the core isn't found. */
const HELP =
  'put the file of resilin/resilin.wasm there, or hand it over: createEngine({ wasm }); see docs/embedding.md';

/** The compiled core. Throws where its file isn't beside this one. */
export function compileCore(): Promise<WebAssembly.Module> {
  return compileCoreFrom(() => fetch(coreUrl()));
}

/** The same, where its file is got in another way. */
export async function compileCoreFrom(get: () => Promise<Response>): Promise<WebAssembly.Module> {
  const url = coreUrl();
  let response: Response;
  try {
    response = await get();
  } catch (cause) {
    throw new Error(`${url} can't be fetched; ${HELP}`, { cause });
  }
  if (!response.ok) throw new Error(`${url} answers with ${response.status}; ${HELP}`);
  if (response.headers.get('content-type') === 'application/wasm')
    return WebAssembly.compileStreaming(response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // A development server may answer with its page for what it doesn't have.
  if (!isWasm(bytes)) throw new Error(`${url} is no WebAssembly; ${HELP}`);
  return WebAssembly.compile(bytes);
}

/** Whether bytes begin as WebAssembly does. */
function isWasm(bytes: Uint8Array): boolean {
  return [0x00, 0x61, 0x73, 0x6d].every((byte, at) => bytes[at] === byte);
}
