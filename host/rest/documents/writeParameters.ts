/** What writes may be told about the copies of a shard. */
import { illegalArgument } from '../../errors.js';
import type { WantedCopies } from '../../engine/replicas.js';
import { millis, type RestRequest } from '../request.js';
import { timeText } from '../shape.js';

const TIMEOUT = 60_000;

/**
 * The copies that a write asks for. Writes that say nothing of them ask for none: with replicas that no second node holds, 1.7's
 * own quorum would refuse them.
 */
export function wantedCopies(query: RestRequest['query']): WantedCopies | undefined {
  const timeout = millis(query, 'timeout', TIMEOUT);
  const level = query.get('consistency');
  if (level !== undefined && !['default', 'one', 'quorum', 'all'].includes(level))
    throw illegalArgument(`No write consistency match [${level}]`);
  const replication = query.get('replication');
  if (replication !== undefined && !['default', 'async', 'sync'].includes(replication)) {
    throw illegalArgument(
      `No replication type match for [${replication}], should be either \`async\`, or \`sync\``,
    );
  }
  if (level !== 'quorum' && level !== 'all') return undefined;
  return { level: level === 'all' ? 'ALL' : 'QUORUM', timeout: timeText(timeout) };
}
