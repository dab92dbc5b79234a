/** The answer: as bars, lines, small charts or a table, and what it leaves out. */
import type { Json } from '../../api/json';
import { place, setParams } from '../../app/location';
import { Chart } from '../../components/Chart';
import { formatCount, formatMs } from '../../components/formats';
import { Icon } from '../../components/Icon';
import { Panel } from '../../components/Panel';
import { saveFile } from '../../components/saveFile';
import { Tabs } from '../../components/Tabs';
import { BucketBars } from './BucketBars';
import { BucketColumns } from './BucketColumns';
import { BucketMultiples } from './BucketMultiples';
import { BucketTable } from './BucketTable';
import { resultCsv } from './bucketRows';
import { type Bucket, type Group, measureNames, type Result } from './buckets';
import { formatMeasure } from './formatMeasure';
import { isHistogram } from './kinds';
import { linesOf } from './series';

type ChartName = 'bars' | 'lines' | 'multiples' | 'table';

interface ResultsProps {
  result: Result;
  onFilter: (filters: readonly Json[], label: string) => void;
}

export function Results({ result, onFilter }: ResultsProps) {
  const { group, measures, total, took } = result;
  const names = measureNames(result);
  const { params } = place.value;
  const measure = names.find((name) => name === params.get('measure')) ?? '';
  const told = `${formatCount(total)} documents in ${formatMs(took)}`;
  const save = () => saveFile('aggregation.csv', 'text/csv', resultCsv(result));
  return (
    <Panel
      title="Result"
      actions={
        <>
          <span class="muted" role="status">
            {told}
          </span>
          <button type="button" class="small" onClick={save}>
            <Icon name="download" /> CSV
          </button>
        </>
      }
    >
      {measures.size > 0 && (
        <dl class="measures">
          {[...measures].map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{formatMeasure(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {group !== undefined && names.length > measures.size && (
        <label class="picker measure">
          Show
          <select value={measure} onChange={(event) => setParams({ measure: event.currentTarget.value })}>
            <option value="">documents</option>
            {names
              .filter((name) => !measures.has(name))
              .map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
          </select>
        </label>
      )}
      {group !== undefined && (
        <GroupCharts group={group} measure={measure} names={names} onFilter={onFilter} />
      )}
      <Omitted result={result} />
    </Panel>
  );
}

interface GroupChartsProps {
  group: Group;
  measure: string;
  names: readonly string[];
  onFilter: ResultsProps['onFilter'];
}

function GroupCharts({ group, measure, names, onFilter }: GroupChartsProps) {
  const lines = linesOf(group, measure, measure === '' ? 'documents' : measure);
  const inner = group.buckets.find((bucket) => bucket.inner !== undefined)?.inner;
  const tabs: { name: ChartName; title: string }[] = [{ name: 'bars', title: 'Bars' }];
  if (lines !== undefined) tabs.push({ name: 'lines', title: 'Lines' });
  if (inner !== undefined) tabs.push({ name: 'multiples', title: 'Small charts' });
  tabs.push({ name: 'table', title: 'Table' });
  const first: ChartName =
    inner !== undefined && isHistogram(inner.kind) && !isHistogram(group.kind) ? 'multiples' : 'bars';
  const asked = place.value.params.get('chart');
  const chart = tabs.find(({ name }) => name === asked)?.name ?? first;
  const pick = (...buckets: Bucket[]) =>
    onFilter(
      buckets.flatMap(({ filter }) => (filter === undefined ? [] : [filter])),
      buckets.map(({ label }) => label).join(', '),
    );
  if (group.buckets.length === 0) return <p class="empty">There are no buckets: no document has a value.</p>;
  const label = `${group.buckets.length} buckets by ${group.field === '' ? group.name : group.field}`;
  return (
    <Tabs<ChartName>
      label="Chart"
      tabs={tabs}
      selected={chart}
      onSelect={(name) => setParams({ chart: name })}
    >
      {chart === 'table' ? (
        <BucketTable group={group} measures={names} onFilter={onFilter} />
      ) : chart === 'lines' && lines !== undefined ? (
        <Chart
          label={`${label}, as lines. The table has the same numbers.`}
          times={lines.xs}
          series={lines.series}
          isTime={lines.isTime}
          format={formatMeasure}
          height={300}
        />
      ) : chart === 'multiples' ? (
        <BucketMultiples group={group} measure={measure} onPick={pick} />
      ) : isHistogram(group.kind) ? (
        <BucketColumns label={label} group={group} measure={measure} onPick={pick} />
      ) : (
        <BucketBars group={group} measure={measure} onPick={pick} />
      )}
    </Tabs>
  );
}

/** What isn't in the buckets, and how far counts may be off. */
function Omitted({ result: { group, timedOut, failedShards } }: { result: Result }) {
  const told: string[] = [];
  if (group !== undefined && group.others > 0)
    told.push(`${formatCount(group.others)} documents are in other buckets (sum_other_doc_count).`);
  if (group !== undefined && group.error > 0)
    told.push(
      `A count may be too low by up to ${formatCount(group.error)} (doc_count_error_upper_bound): each shard sends its own largest buckets. A larger size makes it exact.`,
    );
  if (timedOut) told.push('The time was over: these are the documents of until then.');
  if (failedShards > 0) told.push(`${failedShards} shards have failed: their documents are missing.`);
  if (told.length === 0) return null;
  return (
    <ul class="omitted muted">
      {told.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
