/** What comes of several shards: those that failed, and scores by the statistics of each. */

import type { JsonObject } from '../../api/json';
import { useClient } from '../../app/context';
import { ErrorBox } from '../../components/ErrorBox';
import { useAnswer } from '../../components/useAnswer';
import { rankChanges } from './rankChanges';
import { type Hit, runSearch, type ShardProblem } from './searchAnswer';
import type { SearchState } from './searchState';

interface ShardProblemsProps {
  problems: readonly ShardProblem[];
  failed: number;
  total: number;
}

export function ShardProblems({ problems, failed, total }: ShardProblemsProps) {
  if (failed === 0) return null;
  return (
    <div class="stack">
      {problems.map(({ shard, reason }) => (
        <ErrorBox
          key={`${shard} ${reason}`}
          title={shard === '' ? 'A shard failed' : `Shard ${shard} failed`}
          error={reason}
        />
      ))}
      <p class="muted">
        {failed} of {total} shards failed: their documents are not among the hits.
      </p>
    </div>
  );
}

interface ShardStatisticsProps {
  index: string;
  body: JsonObject;
  state: SearchState;
  hits: readonly Hit[];
  onChange: (state: SearchState) => void;
}

/**
 * Shards score by their own statistics; where those of all would bring another order, it says so. The same search is asked once more, for the
 * order alone.
 */
export function ShardStatistics({ index, body, state, hits, onChange }: ShardStatisticsProps) {
  const client = useClient();
  const { isDfs } = state;
  const { value } = useAnswer(
    async (signal) => {
      if (hits.length === 0) return undefined;
      const { aggs, aggregations, facets, highlight, suggest, explain, ...rest } = body;
      const other = await runSearch(
        client,
        index,
        { ...rest, _source: false },
        { isDfs: !isDfs, signal, isQuiet: true },
      );
      return rankChanges(hits, other.hits).filter(({ kind }) => kind !== 'same').length;
    },
    [client, index, hits],
  ).value;
  const moved = value === 1 ? '1 hit stands' : `${value ?? 0} hits stand`;
  const change =
    value === undefined ? '' : value === 0 ? 'The order of these hits is the same with either.' : '';
  return (
    <p class="shard-statistics">
      <label class="check">
        <input type="checkbox" checked={isDfs} onChange={() => onChange({ ...state, isDfs: !isDfs })} />
        Statistics of all shards (dfs_query_then_fetch)
      </label>{' '}
      <span class={value === undefined || value === 0 ? 'muted' : 'moved'} role="status">
        {change !== ''
          ? change
          : value === undefined
            ? ''
            : isDfs
              ? `By the statistics of each shard ${moved} elsewhere.`
              : `Each shard scores by its own statistics; by those of all ${moved} elsewhere.`}
      </span>
    </p>
  );
}
