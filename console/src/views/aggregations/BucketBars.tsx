/** Buckets as bars from the left, one a line: their labels may be long. A click on one narrows the documents to it. */
import { useSignal } from '@preact/signals';
import { Pager } from '../../components/Pager';
import { type Bucket, type Group, measureOf } from './buckets';
import { formatMeasure } from './formatMeasure';
import { Legend } from './Legend';
import { largest, segmentsOf, seriesOf } from './series';

const PAGE = 50;

interface BarsProps {
  group: Group;
  measure: string;
  onPick: (bucket: Bucket) => void;
}

export function BucketBars({ group, measure, onPick }: BarsProps) {
  const page = useSignal(0);
  const shown = Math.min(page.value, Math.max(0, Math.ceil(group.buckets.length / PAGE) - 1));
  const { labels, hasRest } = seriesOf(group, measure);
  const max = largest(group.buckets, measure, labels) || 1;
  return (
    <>
      <Legend labels={labels} hasRest={hasRest} />
      <ol class="bucket-bars">
        {group.buckets.slice(shown * PAGE, (shown + 1) * PAGE).map((bucket, i) => (
          <li key={`${shown}-${i}`}>
            <BarRow bucket={bucket} measure={measure} max={max} labels={labels} onPick={onPick} />
          </li>
        ))}
      </ol>
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

interface RowProps {
  bucket: Bucket;
  measure: string;
  max: number;
  labels: readonly string[];
  onPick: (bucket: Bucket) => void;
}

function BarRow({ bucket, measure, max, labels, onPick }: RowProps) {
  const value = measureOf(bucket, measure);
  const segments = segmentsOf(bucket, measure, labels);
  const told = labels.length === 0 ? '' : segments.map(titleOf).join(', ');
  let x = 0;
  return (
    <button
      type="button"
      class="quiet"
      disabled={bucket.filter === undefined}
      title={bucket.filter === undefined ? undefined : `Only ${bucket.label}`}
      onClick={() => onPick(bucket)}
    >
      <span class="label">{bucket.label}</span>
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        {segments.map((segment, i) => {
          const width = (Math.abs(segment.value) / max) * 1000;
          const from = x;
          x += width;
          return (
            <rect
              key={i}
              class={`fill-${segment.color}`}
              x={from}
              y={0}
              width={Math.max(width, 0.5)}
              height={10}
            >
              <title>{titleOf(segment)}</title>
            </rect>
          );
        })}
      </svg>
      <span class="number">{formatMeasure(value)}</span>
      {told !== '' && <span class="hidden">{told}</span>}
    </button>
  );
}

function titleOf({ label, value }: { label: string | undefined; value: number }): string {
  return `${label ?? 'others'}: ${formatMeasure(value)}`;
}
