/** How long a search took, and where: phases in the server, and the way to here. */
import { formatMs } from '../../components/formats';
import type { SearchAnswer } from './searchAnswer';

/** What the server's names mean, in the order of a search. */
const PHASES: Readonly<Record<string, string>> = {
  plan: 'reading the query',
  dfs_pre_query: 'statistics of all shards',
  query: 'finding and scoring',
  fetch: 'reading documents, highlights',
  expand: 'explanations',
};
/** What a request takes besides: the network, and reading the answer. */
const WAY = 'network and browser';

export function Timing({ answer: { took, roundTrip, phases, shards } }: { answer: SearchAnswer }) {
  const inServer = phases.reduce((sum, { ms }) => sum + ms, 0);
  const parts = [
    ...phases.map(({ name, ms }) => ({ title: PHASES[name] ?? name, ms })),
    { title: WAY, ms: Math.max(0, roundTrip - Math.max(took, inServer)) },
    // Every search finds; a browser's clock may be too coarse to tell how long.
  ].filter(({ title, ms }) => ms > 0 || title === PHASES.query);
  const all = parts.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <div class="timing">
      <p class="muted">
        {`${formatMs(took)} in the server, ${formatMs(roundTrip)} until it was read here; ${
          shards.total === 1 ? '1 shard' : `${shards.total} shards`
        }`}
      </p>
      {phases.length > 0 && (
        <>
          <span class="phase-bar" aria-hidden="true">
            {parts.map(({ title, ms }, i) => (
              <span
                key={title}
                style={{ flexGrow: all > 0 ? ms / all : 1, background: `var(--chart-${(i % 6) + 1})` }}
              />
            ))}
          </span>
          <ul aria-label="Time of each phase">
            {parts.map(({ title, ms }, i) => (
              <li key={title}>
                <span
                  class="swatch"
                  aria-hidden="true"
                  style={{ background: `var(--chart-${(i % 6) + 1})` }}
                />
                {title} <span class="number">{formatMs(ms)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
