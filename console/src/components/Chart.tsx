/** Lines over time, or over numbers, drawn by uPlot in the colours of the theme. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { theme } from '../app/theme';

/** For axes: `2M`. */
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

export interface Series {
  title: string;
  /** One for each time; undefined where nothing is known. */
  values: readonly (number | undefined)[];
}

interface ChartProps {
  /** For those who don't see it: what is shown, and the newest values. */
  label: string;
  /** Seconds since 1970; numbers where {@link isTime} is false. */
  times: readonly number[];
  isTime?: boolean;
  /** Times as a clock shows them, for what lasts minutes. */
  hasClock?: boolean;
  series: readonly Series[];
  format: (value: number) => string;
  height?: number;
  /** Titles and values below it, which follow the pointer. */
  hasLegend?: boolean;
}

export function Chart({
  label,
  times,
  series,
  format,
  height = 140,
  isTime = true,
  hasClock = false,
  hasLegend = true,
}: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const titles = series.map(({ title }) => title).join('\n');
  const shownTheme = theme.value;
  useEffect(() => {
    const element = box.current!;
    const style = getComputedStyle(element);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: color('--muted'),
      grid: { stroke: color('--border'), width: 1 },
      ticks: { show: false },
    };
    const made = new uPlot(
      {
        width: Math.max(element.clientWidth, 50),
        height,
        // The last time stands half beyond the end of its axis.
        ...(hasClock ? { padding: [null, 36, null, null] } : {}),
        cursor: { points: { size: 6 } },
        legend: { show: hasLegend, live: true },
        scales: { x: { time: isTime }, y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
        axes: [
          xAxis(axis, isTime, hasClock),
          { ...axis, size: 64, space: 26, values: (_, ticks) => ticks.map(format) },
        ],
        series: [
          {},
          ...titles.split('\n').map((title, i) => ({
            label: title,
            stroke: color(`--chart-${(i % 6) + 1}`),
            width: 2,
            points: { show: false },
            value: (_: uPlot, value: number | null) => (value === null ? '' : format(value)),
          })),
        ],
      },
      dataOf(times, series),
      element,
    );
    plot.current = made;
    const resize = new ResizeObserver(() =>
      made.setSize({ width: Math.max(element.clientWidth, 50), height }),
    );
    resize.observe(element);
    return () => {
      resize.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [titles, height, shownTheme, isTime, hasClock, hasLegend]);
  useEffect(() => plot.current?.setData(dataOf(times, series)), [times, series]);
  return <div class="chart" role="img" aria-label={label} ref={box} />;
}

function xAxis(axis: uPlot.Axis, isTime: boolean, hasClock: boolean): uPlot.Axis {
  if (!isTime) return { ...axis, values: (_, ticks) => ticks.map((tick) => compact.format(tick)) };
  return hasClock ? { ...axis, ...CLOCK } : axis;
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** The axis of times that a clock shows: one line, and room for each of them. */
const CLOCK: uPlot.Axis = {
  size: 30,
  space: 90,
  values: (_, seconds) => seconds.map((each) => clock.format(each * 1000)),
};

function dataOf(times: readonly number[], series: readonly Series[]): uPlot.AlignedData {
  return [
    [...times],
    ...series.map(({ values }) => values.map((value) => value ?? null)),
  ] as uPlot.AlignedData;
}
