/** How long a search took, and where. */
import { formatMs } from '../../components/formats';
import type { SearchAnswer } from './searchAnswer';

export function Timing({ answer: { took, roundTrip, shards } }: { answer: SearchAnswer }) {
  return (
    <p class="timing muted">
      {`${formatMs(took)} in the server, ${formatMs(roundTrip)} until it was read here; ${
        shards.total === 1 ? '1 shard' : `${shards.total} shards`
      }`}
    </p>
  );
}
