/** What the node is doing now and was doing lately, as lines over time. */
import type { ComponentChildren } from 'preact';
import { Chart, type Series } from '../../components/Chart';
import { formatBytes, formatCount, formatMs } from '../../components/formats';
import { Panel } from '../../components/Panel';
import { percentiles, rates, type Sample } from './samples';

const PERCENTILES = [
  { title: 'half', share: 0.5 },
  { title: '95 %', share: 0.95 },
  { title: '99 %', share: 0.99 },
] as const;

const perSecond = (value: number) => `${value < 10 ? value.toFixed(1) : formatCount(value)}/s`;
const seconds = (value: number) => formatMs(value * 1000);

/** Seconds that a chart shows at least. */
const SPAN = 60;

export function LiveCharts({ past }: { past: readonly Sample[] }) {
  const last = past.at(-1);
  if (last === undefined) return null;
  const times = past.map(({ time }) => time);
  const start = last.time - SPAN;
  // An empty place at the left: a line begins at the right and grows.
  const isShort = times[0]! > start;
  const latencies = (of: 'searchTimes' | 'writeTimes') =>
    PERCENTILES.map(({ title, share }) => ({ title, values: percentiles(past, of, share) }));
  return (
    <div class="grid charts">
      <ChartPanel
        title="Work"
        times={times}
        start={isShort ? start : undefined}
        format={perSecond}
        series={[
          { title: 'documents written', values: rates(past, 'indexed') },
          { title: 'searches', values: rates(past, 'searches') },
        ]}
      />
      {last.searchTimes !== undefined && (
        <ChartPanel
          title="Time of searches"
          times={times}
          start={isShort ? start : undefined}
          format={seconds}
          series={latencies('searchTimes')}
          hint="Of the last ten seconds, as exact as the buckets that the server counts in."
        />
      )}
      {last.writeTimes !== undefined && (
        <ChartPanel
          title="Time of writes"
          times={times}
          start={isShort ? start : undefined}
          format={seconds}
          series={latencies('writeTimes')}
          hint="Single documents and bulks, of the last ten seconds."
        />
      )}
      {last.resident > 0 && (
        <ChartPanel
          title="Memory"
          times={times}
          start={isShort ? start : undefined}
          format={formatBytes}
          series={[
            { title: 'process', values: past.map(({ resident }) => resident) },
            { title: 'heap', values: past.map(({ heap }) => heap) },
          ]}
        />
      )}
      <ChartPanel
        title="Queues and merges"
        times={times}
        start={isShort ? start : undefined}
        format={(value) => (Number.isInteger(value) ? formatCount(value) : value.toFixed(1))}
        series={[
          { title: 'under way', values: past.map(({ active }) => active) },
          { title: 'waiting', values: past.map(({ waiting }) => waiting) },
          { title: 'refused per s', values: rates(past, 'rejected') },
          { title: 'merges', values: past.map(({ merges }) => merges) },
        ]}
      />
    </div>
  );
}

interface ChartPanelProps {
  title: string;
  times: readonly number[];
  series: readonly Series[];
  format: (value: number) => string;
  hint?: ComponentChildren;
  /** Where the time begins if it begins before the first reading. */
  start: number | undefined;
}

function ChartPanel({ title, times, series, format, hint, start }: ChartPanelProps) {
  const newest = series.map(({ title: name, values }) => {
    const value = values.at(-1);
    return { name, text: value === undefined ? '–' : format(value) };
  });
  return (
    <Panel title={title}>
      <ul class="newest">
        {newest.map(({ name, text }, i) => (
          <li key={name}>
            <span class={`swatch color-${i + 1}`} aria-hidden="true" />
            {name} <b class="tabular">{text}</b>
          </li>
        ))}
      </ul>
      <Chart
        label={`${title}: ${newest.map(({ name, text }) => `${name} ${text}`).join(', ')}`}
        times={start === undefined ? times : [start, ...times]}
        series={
          start === undefined
            ? series
            : series.map(({ title: name, values }) => ({ title: name, values: [undefined, ...values] }))
        }
        format={format}
        hasClock
        hasLegend={false}
        height={130}
      />
      {hint !== undefined && <p class="muted hint">{hint}</p>}
    </Panel>
  );
}
