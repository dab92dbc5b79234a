/** Bodies in YAML, which 1.7 knows by their first bytes: read, and handed on as JSON. */
import { parse } from 'yaml';

/** Longer ones are not read. */
const MAX_BYTES = 1024 * 1024;
/** Bodies of these calls are lines of JSON, whatever they begin with. */
const LINES = /\/_(bulk|msearch|mpercolate)\/?(\?|$)/;
const MARK = [0x2d, 0x2d, 0x2d];
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a body is taken for YAML. */
export function looksLikeYaml(uri: string, body: Uint8Array): boolean {
  return MARK.every((byte, i) => body[i] === byte) && !LINES.test(uri);
}

/** The same as JSON; a body that is no YAML stays as it is. */
export function yamlToJson(body: Uint8Array): Uint8Array {
  if (body.length > MAX_BYTES) return body;
  try {
    const options = { uniqueKeys: false, maxAliasCount: 100, logLevel: 'silent' } as const;
    return new TextEncoder().encode(JSON.stringify(parse(utf8.decode(body), options)));
  } catch {
    return body;
  }
}

/** Whether the name of a content type is that of YAML; other names than those of JSON say nothing. */
export function isYamlType(contentType: string): boolean {
  return contentType === 'application/yaml' || contentType === 'yaml';
}
