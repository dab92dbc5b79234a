/** The copies of a shard. On one node only the first lives; a write that asks for more of them fails, where 1.7 waits for them and fails then. */
import { ElasticsearchError } from '../errors.js';
import type { IndexSettings } from '../settings/indexSettings.js';
import type { Operation } from '../shard/operation.js';

/** How many copies of its shard a write asks for; nothing is asked for without. */
export interface WantedCopies {
  level: 'QUORUM' | 'ALL';
  /** How long they may take to come, as 1.7 prints durations. */
  timeout: string;
}

/** 503: a write that wants more copies than live. */
export function checkCopies(
  { level, timeout }: WantedCopies,
  { replicas }: IndexSettings,
  place: string,
  request: () => string,
  have = 1,
): void {
  const copies = 1 + replicas;
  // Of two, one is enough.
  const needed = level === 'ALL' ? copies : copies > 2 ? Math.floor(copies / 2) + 1 : 1;
  if (needed <= have) return;
  throw new ElasticsearchError(
    'UnavailableShardsException',
    `${place} Not enough active copies to meet write consistency of [${level}] (have ${have}, needed ${needed}). Timeout: [${timeout}], request: ${request()}`,
    { status: 503 },
  );
}

const decoder = new TextDecoder();

/** A write as 1.7 shows requests. */
export function showWrite(index: string, { kind, type, id, source }: Operation): string {
  const place = `[${index}][${type}][${id}]`;
  if (kind === 'delete') return `delete {${place}}`;
  return `index {${place}, source[${source === undefined ? '_na_' : decoder.decode(source)}]}`;
}
