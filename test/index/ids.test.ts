/** Ids of documents that came without one. */
import { expect, it } from 'vitest';
import { documentId } from '../../host/shard/ids.js';

const NOW = Date.parse('2026-11-22T12:00:00Z');

it('are 20 safe characters, each time others, and later ones sort later', () => {
  // Random bytes are made for 512 at once.
  const ids = Array.from({ length: 2000 }, () => documentId(NOW));
  for (const id of ids) expect(id).toMatch(/^[\w-]{20}$/);
  expect(new Set(ids).size).toBe(2000);
  // What is random is so in every one of them: behind the time and the count.
  expect(new Set(ids.map((id) => id.slice(12))).size).toBe(2000);
  expect(documentId(NOW + 1000 * 3600).slice(0, 8) > ids[0]!.slice(0, 8)).toBe(true);
});
