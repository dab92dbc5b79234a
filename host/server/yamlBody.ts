/** Bodies in YAML, handed on as JSON. */
import { parse } from 'yaml';

/** Longer ones are not read. */
const MAX_BYTES = 1024 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A YAML body as JSON; a body that is no YAML stays as it is. */
export function yamlToJson(body: Uint8Array): Uint8Array {
  if (body.length > MAX_BYTES) return body;
  try {
    const options = { uniqueKeys: false, maxAliasCount: 100, logLevel: 'silent' } as const;
    return new TextEncoder().encode(JSON.stringify(parse(utf8.decode(body), options)));
  } catch {
    return body;
  }
}
