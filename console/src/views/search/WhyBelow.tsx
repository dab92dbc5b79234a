/** Why the hit ranks below the one above it: what is less, what is more, in words. */
import { Bar } from '../../components/Bar';
import { short } from './Contributions';
import { scoreDifferences } from './explanation/scoreDifference';
import { ordinal } from './rankChanges';
import type { Hit } from './searchAnswer';

const MOST = 5;

interface WhyBelowProps {
  hit: Hit;
  /** All of the page. */
  hits: readonly Hit[];
  /** What hits are sorted by, where it isn't the score. */
  sortedBy: string | undefined;
}

export function WhyBelow({ hit, hits, sortedBy }: WhyBelowProps) {
  const above = hits.find(({ rank }) => rank === hit.rank - 1);
  const place = `Ranks ${ordinal(hit.rank)}`;
  if (sortedBy !== undefined)
    return <p>{`${place}: the hits are sorted by ${sortedBy}, the score does not order them.`}</p>;
  if (above === undefined)
    return <p>{hit.rank === 1 ? 'Ranks first: no score is higher.' : `${place}, first on this page.`}</p>;
  if (hit.explanation === undefined || above.explanation === undefined) return <p>{place}.</p>;
  const isTied = hit.score === above.score;
  const higher = isTied ? hits.findLast(({ score }) => Number(score) > Number(hit.score)) : above;
  const tie =
    hit.shard === above.shard && hit.index === above.index ? 'documents were written' : 'shards stand';
  const tied = `${place} with the same score as the one above: such hits stand in the order in which ${tie}.`;
  if (higher?.explanation === undefined) return <p>{isTied ? tied : `${place}.`}</p>;
  const differences = scoreDifferences(higher.explanation, hit.explanation);
  const most = Math.max(...differences.map(({ amount }) => Math.abs(amount)));
  const lack = Number(higher.score) - Number(hit.score);
  return (
    <>
      <p>
        {`${isTied ? `${tied} Its score is` : `${place} because its score is`} ${short(Math.abs(lack))} ${
          lack > 0 ? 'below' : 'above'
        } that of the ${ordinal(higher.rank)}${differences.length > 0 ? ':' : '.'}`}
      </p>
      <ul class="differences" aria-label="Differences to the hit above">
        {differences.slice(0, MOST).map(({ key, amount, subject, reason }) => (
          <li key={key}>
            <p class="what">
              <span>
                <b>{subject}</b>: {reason}
              </span>
              <span class={`number ${amount < 0 ? 'problem' : 'good'}`}>
                {amount < 0 ? '−' : '+'}
                {short(Math.abs(amount))}
              </span>
            </p>
            <Bar share={Math.abs(amount) / most} color={amount < 0 ? 3 : 2} />
          </li>
        ))}
      </ul>
      {differences.length > MOST && <p class="muted">and {differences.length - MOST} smaller differences</p>}
    </>
  );
}
