/** The core in JavaScript, for bundles that were made without its file. */

/** Deflated, as base64; the package's build puts it in (scripts/builder/package.mjs). */
declare const CORE_TEXT: string;

/** Compiles it. */
export function compileInlinedCore(): Promise<WebAssembly.Module> {
  const deflated = Uint8Array.from(atob(CORE_TEXT), (letter) => letter.charCodeAt(0));
  const bytes = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return WebAssembly.compileStreaming(
    new Response(bytes, { headers: { 'content-type': 'application/wasm' } }),
  );
}
