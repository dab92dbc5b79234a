/**
 * Buckets side by side on a scale, as columns. By keyboard: one is reached with Tab, its neighbours with the arrow keys, and Enter narrows the
 * documents to it.
 */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Pager } from '../../components/Pager';
import { useWidth } from '../../components/useWidth';
import { type Bucket, type Group, measureOf } from './buckets';
import { formatMeasure, formatTick } from './formatMeasure';
import { Legend } from './Legend';
import { type Domain, labelledPlaces, largest, placesOf, segmentsOf, seriesOf, ticksOf } from './series';

/** Columns that can be told apart, on a wide screen. */
const PAGE = 300;
const LEFT = 52;
const BOTTOM = 24;
const TOP = 8;

interface ColumnsProps {
  /** For those who hear the page. */
  label: string;
  group: Group;
  measure: string;
  onPick: (bucket: Bucket) => void;
  height?: number;
  /** The largest value of the axis; that of the group without. */
  max?: number;
  /** Of keys; that of the columns that are shown without. */
  domain?: Domain | undefined;
}

export function BucketColumns({ label, group, measure, onPick, height = 280, max, domain }: ColumnsProps) {
  const { ref, width } = useWidth<HTMLDivElement>();
  const page = useSignal(0);
  const focused = useSignal(0);
  const svg = useRef<SVGSVGElement>(null);
  const pages = Math.max(1, Math.ceil(group.buckets.length / PAGE));
  const shown = Math.min(page.value, pages - 1);
  const buckets = group.buckets.slice(shown * PAGE, (shown + 1) * PAGE);
  const { labels, hasRest } = seriesOf(group, measure);
  const ticks = ticksOf(max ?? largest(group.buckets, measure, labels), height < 150 ? 2 : 4);
  const top = ticks.at(-1)!;
  const places = placesOf(group.kind, buckets, Math.max(0, width.value - LEFT), domain);
  const y = (value: number) => TOP + (1 - Math.max(0, value) / top) * (height - TOP - BOTTOM);
  const labelled = labelledPlaces(places, width.value - LEFT);
  const stop = Math.min(focused.value, buckets.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: stop - 1,
      ArrowRight: stop + 1,
      Home: 0,
      End: buckets.length - 1,
    };
    const to = moves[event.key];
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      const bucket = buckets[stop];
      if (bucket?.filter !== undefined) onPick(bucket);
    } else if (to !== undefined) {
      event.preventDefault();
      focused.value = Math.max(0, Math.min(buckets.length - 1, to));
      svg.current?.querySelectorAll<SVGElement>('.column')[focused.value]?.focus();
    }
  };
  return (
    <div class="bucket-columns" ref={ref}>
      <Legend labels={labels} hasRest={hasRest} />
      {/* biome-ignore lint/a11y/useSemanticElements: a group of SVG */}
      <svg
        ref={svg}
        width={width.value}
        height={height}
        role="group"
        aria-label={label}
        onKeyDown={onKeyDown}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="grid-line" x1={LEFT} x2={width.value} y1={y(tick)} y2={y(tick)} />
            <text class="tick" x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
              {formatTick(tick)}
            </text>
          </g>
        ))}
        {buckets.map((bucket, i) => (
          // biome-ignore lint/a11y/useSemanticElements: a button of SVG
          <g
            key={i}
            class="column"
            role="button"
            tabIndex={i === stop ? 0 : -1}
            aria-label={`${bucket.label}: ${formatMeasure(measureOf(bucket, measure))}`}
            aria-disabled={bucket.filter === undefined}
            onClick={() => bucket.filter !== undefined && onPick(bucket)}
            onFocus={() => {
              focused.value = i;
            }}
          >
            <rect
              class="reach"
              x={LEFT + places[i]!.x}
              y={TOP}
              width={places[i]!.width}
              height={height - TOP - BOTTOM}
            />
            <Column
              x={LEFT + places[i]!.x}
              width={places[i]!.width}
              y={y}
              segments={segmentsOf(bucket, measure, labels)}
            />
            <title>{`${bucket.label}: ${formatMeasure(measureOf(bucket, measure))}`}</title>
          </g>
        ))}
        {labelled.map((i) => (
          <text
            key={i}
            class="tick"
            x={LEFT + places[i]!.x + places[i]!.width / 2}
            y={height - 7}
            text-anchor="middle"
          >
            {shortened(buckets[i]!.label)}
          </text>
        ))}
      </svg>
      <Pager
        label="buckets"
        count={group.buckets.length}
        size={PAGE}
        page={shown}
        onPage={(next) => {
          page.value = next;
          focused.value = 0;
        }}
      />
    </div>
  );
}

interface ColumnProps {
  x: number;
  width: number;
  y: (value: number) => number;
  segments: ReturnType<typeof segmentsOf>;
}

function Column({ x, width, y, segments }: ColumnProps) {
  const gap = width > 4 ? Math.min(3, width / 6) : 0;
  let sum = 0;
  return (
    <>
      {segments.map(({ color, value }) => {
        const [from, to] = [y(sum), y(sum + value)];
        sum += value;
        return (
          <rect
            key={color}
            class={`fill-${color}`}
            x={x + gap / 2}
            y={to}
            width={Math.max(0.5, width - gap)}
            height={value > 0 ? Math.max(1, from - to) : 0}
          />
        );
      })}
    </>
  );
}

function shortened(label: string): string {
  return label.length > 13 ? `${label.slice(0, 12)}…` : label;
}
