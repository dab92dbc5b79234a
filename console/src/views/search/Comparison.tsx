/** Two searches beside each other: which hits moved, which scores changed, and why. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { MappedField } from '../../api/mappingFields';
import { useClient } from '../../app/context';
import { place, selectedIndex, setParams } from '../../app/location';
import { Bar } from '../../components/Bar';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { formatCount, formatMs } from '../../components/formats';
import { Panel } from '../../components/Panel';
import { Spinner } from '../../components/Spinner';
import { useAnswer } from '../../components/useAnswer';
import { useFields } from '../../components/useFields';
import { Contributions, short } from './Contributions';
import { scoreDifferences } from './explanation/scoreDifference';
import { Filters } from './Filters';
import { QueryForm } from './QueryForm';
import { type RankChange, rankChanges } from './rankChanges';
import { type Hit, runSearch, type SearchAnswer } from './searchAnswer';
import { searchBody, shownBody } from './searchBody';
import { readSearch, type SearchState, searchParams } from './searchState';
import { flatValues, titleOf } from './sourceValues';

interface ComparisonProps {
  first: SearchState;
  fields: readonly MappedField[];
  onFirst: (state: SearchState) => void;
}

/** Hits of each that are compared. */
const COMPARED = 20;

export function Comparison({ first, fields, onFirst }: ComparisonProps) {
  const { params } = place.value;
  const second = readSearch(params, '2');
  const index = selectedIndex.value;
  const otherIndex = params.get('index2') ?? '';
  const secondIndex = otherIndex === '' ? index : otherIndex;
  const secondFields = useFields(secondIndex).value.value ?? [];
  const setSecond = (state: SearchState) => setParams({ ...searchParams(state, '2'), hit: undefined });
  const one = useSearch(index, first);
  const two = useSearch(secondIndex, second);
  return (
    <>
      <div class="sides">
        <Panel title="First search">
          <QueryForm label="First search" index={index} state={first} fields={fields} onChange={onFirst} />
          <Filters filters={first.filters} onChange={(filters) => onFirst({ ...first, filters })} />
          <Side {...one} />
        </Panel>
        <Panel
          title="Second search"
          actions={
            <label class="picker">
              in
              <input
                value={otherIndex}
                placeholder={index === '' ? 'the same indices' : index}
                autocomplete="off"
                spellcheck={false}
                aria-label="Index of the second search"
                onChange={(event) => setParams({ index2: event.currentTarget.value.trim() })}
              />
            </label>
          }
        >
          <QueryForm
            label="Second search"
            index={secondIndex}
            state={second}
            fields={secondFields}
            onChange={setSecond}
          />
          <Filters filters={second.filters} onChange={(filters) => setSecond({ ...second, filters })} />
          <Side {...two} />
        </Panel>
      </div>
      {one.value !== undefined && two.value !== undefined && (
        <Moves first={one.value} second={two.value} isSameIndex={index === secondIndex} />
      )}
    </>
  );
}

function useSearch(index: string, state: SearchState) {
  const client = useClient();
  return useAnswer(
    (signal) => {
      const body = searchBody({ ...state, from: 0 });
      const shown = { ...shownBody(state, body), size: COMPARED };
      return runSearch(client, index, shown, { isDfs: state.isDfs, signal });
    },
    [client, index, JSON.stringify(searchParams(state))],
  ).value;
}

function Side({ value, error }: { value: SearchAnswer | undefined; error: unknown }) {
  if (value === undefined)
    return error === undefined ? <Spinner label="Searching" /> : <ErrorBox error={error} />;
  const hits = value.total === 1 ? '1 hit' : `${formatCount(value.total)} hits`;
  return <p class="muted">{`${hits}, ${formatMs(value.took)} in the server`}</p>;
}

interface MovesProps {
  first: SearchAnswer;
  second: SearchAnswer;
  isSameIndex: boolean;
}

function Moves({ first, second, isSameIndex }: MovesProps) {
  const shown = useSignal<string | undefined>(undefined);
  // In two indices the same document is the one of the same type and id.
  const keyed = (hits: readonly Hit[]) =>
    isSameIndex ? hits : hits.map((hit) => ({ ...hit, key: JSON.stringify([hit.type, hit.id]) }));
  const changes = rankChanges(keyed(first.hits), keyed(second.hits));
  const selected = changes.find(({ key }) => key === shown.value);
  const count = (kind: RankChange<Hit>['kind']) => changes.filter((each) => each.kind === kind).length;
  return (
    <Panel title={`What moved among the first ${COMPARED}`}>
      <p class="summary" role="status">
        {`${count('up')} up, ${count('down')} down, ${count('same')} at their place, ${count('new')} new, ${count('gone')} gone`}
      </p>
      <div class={selected === undefined ? '' : 'moves'}>
        <DataTable
          caption="Ranks in both searches"
          rows={changes}
          rowKey={({ key }) => key}
          empty="Neither search finds anything."
          columns={[
            { name: 'first', title: 'First', isNumber: true, cell: ({ first: hit }) => hit?.rank ?? '–' },
            { name: 'second', title: 'Second', isNumber: true, cell: ({ second: hit }) => hit?.rank ?? '–' },
            { name: 'move', title: 'Moved', cell: (change) => <Move change={change} /> },
            {
              name: 'document',
              title: 'Document',
              cell: (change) => (
                <button
                  type="button"
                  class="quiet document"
                  aria-expanded={change.key === shown.value}
                  onClick={() => {
                    shown.value = change.key === shown.peek() ? undefined : change.key;
                  }}
                >
                  {nameOf(change)}
                </button>
              ),
            },
            { name: 'before', title: 'Score', isNumber: true, cell: ({ first: hit }) => hit?.score ?? '' },
            {
              name: 'after',
              title: 'Second score',
              isNumber: true,
              cell: ({ second: hit }) => hit?.score ?? '',
            },
            {
              name: 'difference',
              title: 'Difference',
              isNumber: true,
              sortBy: ({ scoreDifference }) => scoreDifference ?? 0,
              cell: ({ scoreDifference: each }) => (each === undefined ? '' : signed(each)),
            },
          ]}
        />
        {selected !== undefined && <Both key={selected.key} change={selected} />}
      </div>
    </Panel>
  );
}

function Move({ change: { kind, by } }: { change: RankChange<Hit> }) {
  if (kind === 'up') return <span class="move good">↑ up {by}</span>;
  if (kind === 'down') return <span class="move problem">↓ down {-by}</span>;
  if (kind === 'same') return <span class="move muted">= same</span>;
  return <span class="move fair">{kind === 'new' ? '+ new' : '− gone'}</span>;
}

function Both({ change: { first, second } }: { change: RankChange<Hit> }) {
  const [before, after] = [first?.explanation, second?.explanation];
  const differences = before === undefined || after === undefined ? [] : scoreDifferences(before, after);
  const most = Math.max(...differences.map(({ amount }) => Math.abs(amount)));
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), []);
  const name = nameOf({ first, second });
  return (
    <section class="both" ref={box} aria-label={`Why the scores of ${name} differ`}>
      <h3>{name}</h3>
      {differences.length > 0 && (
        <ul class="differences" aria-label="Why the scores differ">
          {differences.slice(0, 8).map(({ key, amount, subject, reason }) => (
            <li key={key}>
              <p class="what">
                <span>
                  <b>{subject}</b>:{' '}
                  {reason
                    .replace('only this hit has it', 'only in the second search')
                    .replace('only the hit above has it', 'only in the first search')
                    .replace(', above ', ', in the first search ')}
                </span>
                <span class={`number ${amount < 0 ? 'problem' : 'good'}`}>{signed(amount)}</span>
              </p>
              <Bar share={Math.abs(amount) / most} color={amount < 0 ? 3 : 2} />
            </li>
          ))}
        </ul>
      )}
      <div class="sides">
        <section aria-label="Contributions in the first search">
          <h3>First: {first?.score ?? 'not among these hits'}</h3>
          {before !== undefined && <Contributions root={before} />}
        </section>
        <section aria-label="Contributions in the second search">
          <h3>Second: {second?.score ?? 'not among these hits'}</h3>
          {after !== undefined && <Contributions root={after} />}
        </section>
      </div>
    </section>
  );
}

function nameOf({ first, second }: Pick<RankChange<Hit>, 'first' | 'second'>): string {
  const hit = (second ?? first)!;
  return (hit.source === undefined ? undefined : titleOf(flatValues(hit.source))) ?? hit.id;
}

function signed(value: number): string {
  if (value === 0) return '0';
  return `${value < 0 ? '−' : '+'}${short(Math.abs(value))}`;
}
