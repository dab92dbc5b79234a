/** The thread that reads bodies in YAML, for `yamlBody.ts`. */
import { parentPort } from 'node:worker_threads';
import { parse } from 'yaml';
import { jsonText, numberOfToken } from '../json/jsonText.js';
import { doubleText } from '../numbers/javaNumbers.js';
import type { YamlAnswer } from './yamlBody.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const OPTIONS = { uniqueKeys: false, maxAliasCount: 100, logLevel: 'silent', intAsBigInt: true } as const;

parentPort!.on('message', (body: Uint8Array) => parentPort!.postMessage(jsonOf(body)));

/** Whole numbers keep their digits, doubles stay doubles. */
function withDigits(_: unknown, value: unknown): unknown {
  if (typeof value === 'bigint') return numberOfToken(String(value));
  return typeof value === 'number' ? numberOfToken(doubleText(value)) : value;
}

function jsonOf(body: Uint8Array): YamlAnswer {
  try {
    return new TextEncoder().encode(jsonText(parse(utf8.decode(body), withDigits, OPTIONS)));
  } catch {
    return undefined;
  }
}
