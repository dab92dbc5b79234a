/** A small chart of the inner buckets for each outer one, all on the same scale, or each on its own. */
import { useSignal } from '@preact/signals';
import { place, setParams } from '../../app/location';
import { Pager } from '../../components/Pager';
import { BucketColumns } from './BucketColumns';
import { type Bucket, type Group, measureOf } from './buckets';
import { formatMeasure } from './formatMeasure';
import { commonDomain, domainOf, largest } from './series';

const PAGE = 12;

interface MultiplesProps {
  group: Group;
  measure: string;
  onPick: (...buckets: Bucket[]) => void;
}

export function BucketMultiples({ group, measure, onPick }: MultiplesProps) {
  const page = useSignal(0);
  const shown = Math.min(page.value, Math.max(0, Math.ceil(group.buckets.length / PAGE) - 1));
  const max = group.buckets.reduce(
    (most, { inner }) => Math.max(most, largest(inner?.buckets ?? [], measure)),
    0,
  );
  const isOwn = place.value.params.get('scale') === 'own';
  const domain = commonDomain(group.buckets.map(({ inner }) => inner && domainOf(inner.kind, inner.buckets)));
  return (
    <>
      <label class="same-scale">
        <input
          type="checkbox"
          checked={!isOwn}
          onChange={(event) => setParams({ scale: event.currentTarget.checked ? '' : 'own' })}
        />
        The same scale in all
      </label>
      <ul class="bucket-multiples">
        {group.buckets.slice(shown * PAGE, (shown + 1) * PAGE).map((bucket, i) => (
          <li key={`${shown}-${i}`}>
            <h3>
              <span>{bucket.label}</span>{' '}
              <span class="muted">{formatMeasure(measureOf(bucket, measure))}</span>
            </h3>
            {bucket.inner !== undefined && bucket.inner.buckets.length > 0 ? (
              <BucketColumns
                label={bucket.label}
                group={bucket.inner}
                measure={measure}
                {...(isOwn ? {} : { max })}
                domain={isOwn ? undefined : domain}
                height={130}
                onPick={(inner) => onPick(bucket, inner)}
              />
            ) : (
              <p class="muted">No buckets within.</p>
            )}
          </li>
        ))}
      </ul>
      <Pager
        label="buckets"
        count={group.buckets.length}
        size={PAGE}
        page={shown}
        onPage={(next) => {
          page.value = next;
        }}
      />
    </>
  );
}
