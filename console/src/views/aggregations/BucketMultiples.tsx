/** A small chart of the inner buckets for each outer one, all on the same scale. */
import { useSignal } from '@preact/signals';
import { Pager } from '../../components/Pager';
import { BucketColumns } from './BucketColumns';
import { type Bucket, type Group, measureOf } from './buckets';
import { formatMeasure } from './formatMeasure';

const PAGE = 12;

interface MultiplesProps {
  group: Group;
  measure: string;
  onPick: (...buckets: Bucket[]) => void;
}

export function BucketMultiples({ group, measure, onPick }: MultiplesProps) {
  const page = useSignal(0);
  const shown = Math.min(page.value, Math.max(0, Math.ceil(group.buckets.length / PAGE) - 1));
  const max = Math.max(
    0,
    ...group.buckets.flatMap(
      ({ inner }) => inner?.buckets.map((each) => measureOf(each, measure) ?? 0) ?? [],
    ),
  );
  return (
    <>
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
                max={max}
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
