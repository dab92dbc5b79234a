/** What became of messages whose writers have no copy of the shard: kept for a while, until they ask for it. */
import { ElasticsearchError } from '../errors.js';
import { jsonText } from '../json/jsonText.js';
import { isObject } from '../json/values.js';
import { AGAIN, CHANGED } from '../shard/operation.js';
import type { Outcome } from '../shard/writeQueue.js';
import { decodeJson, encodeText } from '../storage/records.js';
import { versionFrom } from '../storage/versions.js';
import type { Clock } from '../time/clock.js';
import { elapsed } from '../time/elapsed.js';
import { readError, writtenError } from './errorMessage.js';

/** Milliseconds that outcomes are kept: as long as writers wait. */
const KEPT_MS = 60_000;
const MOST_BYTES = 16 * 1024 * 1024;

/** The outcomes of a node's copies, the oldest first. */
export class KeptOutcomes {
  readonly #clock: Clock;
  readonly #kept = new Map<string, { bytes: Uint8Array; at: number }>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Keeps what became of a message, by the process that wrote it and its number there. */
  keep(writer: string, number: number, outcomes: readonly Outcome[]): void {
    const now = elapsed(this.#clock);
    const bytes = encodeOutcomes(outcomes);
    this.#kept.set(`${writer}/${number}`, { bytes, at: now });
    this.#bytes += bytes.length;
    for (const [key, { bytes: old, at }] of this.#kept) {
      if (this.#bytes <= MOST_BYTES && now - at < KEPT_MS) return;
      this.#kept.delete(key);
      this.#bytes -= old.length;
    }
  }

  /** What became of a message, encoded; undefined where nothing is known of it. */
  find(writer: string, number: number): Uint8Array | undefined {
    return this.#kept.get(`${writer}/${number}`)?.bytes;
  }
}

/** Outcomes in JSON. Those of a bulk request are mostly one and the same, which is written once. */
function encodeOutcomes(outcomes: readonly Outcome[]): Uint8Array {
  let written = '';
  let last: Outcome | undefined;
  let lastText = '';
  for (const outcome of outcomes) {
    if (outcome !== last) lastText = jsonText(writtenOutcome(outcome));
    last = outcome;
    written += written === '' ? lastText : `,${lastText}`;
  }
  return encodeText(`[${written}]`);
}

function writtenOutcome(outcome: Outcome): unknown {
  if (outcome === AGAIN) return 'again';
  if (outcome === CHANGED) return 'changed';
  if (outcome instanceof ElasticsearchError) return { error: writtenError(outcome) };
  const { version, fresh } = outcome;
  return { version: typeof version === 'number' ? version : String(version), fresh };
}

/** Throws for what is no list of so many outcomes. */
export function decodeOutcomes(bytes: Uint8Array, count: number): Outcome[] {
  const list: unknown = decodeJson(bytes);
  if (!Array.isArray(list) || list.length !== count) throw malformed();
  return list.map((each: unknown): Outcome => {
    if (each === 'again') return AGAIN;
    if (each === 'changed') return CHANGED;
    if (!isObject(each)) throw malformed();
    if (each.error !== undefined) return readError(each.error);
    const { version, fresh } = each;
    if (typeof fresh !== 'boolean') throw malformed();
    if (Number.isSafeInteger(version)) return { version: version as number, fresh };
    if (typeof version !== 'string' || !/^-?\d{1,20}$/.test(version)) throw malformed();
    return { version: versionFrom(BigInt(version)), fresh };
  });
}

function malformed(): Error {
  return new Error('outcomes of another node that are none');
}
