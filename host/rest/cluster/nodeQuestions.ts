/** What nodes of a cluster ask each other for by way of the interface. */

/** The kind of the question for what stats tell of a node's copies. */
export const STATISTICS_QUESTION = 'statistics';
/** Bytes of it, since it may name every index. */
export const LONG_QUESTION_BYTES = 16 * 1024 * 1024;

/** The kind of the question for how a node's copies came to be there. */
export const RECOVERIES_QUESTION = 'recoveries';

/** The kinds of all of them. */
export const QUESTIONS = [STATISTICS_QUESTION, RECOVERIES_QUESTION];

/** Paths that nodes ask each other for: what they are, scrolls that began there, and the snapshot that one of them makes. */
const TOLD = /^\/(_nodes|_cat)(\/|\?|$)/;
const SCROLLS = /^\/_search\/scroll(\/|\?|$)/;
const SNAPSHOTS = /^\/_snapshot\/[^?]+/;
const ONE_SNAPSHOT = /^\/_snapshot\/[^/?]+\/[^/?]+\/?(\?|$)/;

/** Whether other nodes may send such a request. */
export function isAnswered(method: string, uri: string): boolean {
  if (method === 'GET') return SCROLLS.test(uri) || TOLD.test(uri) || SNAPSHOTS.test(uri);
  return SCROLLS.test(uri) || (method === 'DELETE' && ONE_SNAPSHOT.test(uri));
}
