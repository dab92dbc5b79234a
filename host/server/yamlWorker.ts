/** The thread that reads bodies in YAML, for `yamlBody.ts`. */
import { parentPort } from 'node:worker_threads';
import { parse } from 'yaml';
import type { YamlAnswer } from './yamlBody.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const OPTIONS = { uniqueKeys: false, maxAliasCount: 100, logLevel: 'silent' } as const;

parentPort!.on('message', (body: Uint8Array) => parentPort!.postMessage(jsonOf(body)));

function jsonOf(body: Uint8Array): YamlAnswer {
  try {
    return new TextEncoder().encode(JSON.stringify(parse(utf8.decode(body), OPTIONS)));
  } catch {
    return undefined;
  }
}
