/** Aggregations: built by clicks or written as JSON, narrowed by a query, shown as charts and tables. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isObject, type Json, type JsonObject, parseJson, writeJson } from '../../api/json';
import { useClient } from '../../app/context';
import { place, selectedIndex, setParams } from '../../app/location';
import { CopyButton } from '../../components/CopyButton';
import { ErrorBox } from '../../components/ErrorBox';
import { IndexPicker } from '../../components/IndexPicker';
import { Panel } from '../../components/Panel';
import { filteredQuery, queryOf } from '../../components/queryText';
import { Spinner } from '../../components/Spinner';
import { Tabs } from '../../components/Tabs';
import { useAnswer } from '../../components/useAnswer';
import { useFields } from '../../components/useFields';
import { ViewHeader } from '../../components/ViewHeader';
import { AggregationsEditor } from './AggregationsEditor';
import { type Form, firstForm, formOf, jsonOf, type Part } from './aggregationForm';
import { Builder } from './Builder';
import { numberOf, resultOf } from './buckets';
import { calendarInterval, roundInterval } from './interval';
import { type NamedFilter, QueryRow, readFilters } from './QueryRow';
import { Results } from './Results';
import './aggregations.css';

/** What is typed is asked for when nothing more has come for so long. */
const TYPING_MS = 250;

export default function AggregationsView() {
  const client = useClient();
  const index = selectedIndex.value;
  const { params } = place.value;
  const text = params.get('aggs') ?? '';
  const query = params.get('q') ?? '';
  const filters = readFilters(params.get('filters'));
  const fields = useFields(index);
  const form = useSignal<Form | undefined>(undefined);
  const isJson = useSignal(false);
  const missing = useSignal('');
  const proposed = useRef('');
  const asked = useSignal({ text, query });

  useEffect(() => {
    // Where the address says nothing, something is proposed; and again for an index that lacks the field of what was proposed.
    const { value: known, isLoading } = fields.value;
    if (known === undefined || isLoading) return;
    const isMissing = !known.some(({ path }) => path === form.peek()?.levels[0]?.field);
    if (text === '' ? form.peek() !== undefined : text !== proposed.current || !isMissing) return;
    const first = firstForm(known);
    if (first === undefined) return;
    change(first);
    proposed.current = place.peek().params.get('aggs') ?? '';
  }, [fields.value, text]);
  useEffect(() => {
    if (text === '' || isJson.peek()) return;
    const current = form.peek() === undefined ? undefined : jsonOf(form.peek()!);
    if (current !== undefined && 'json' in current && writeJson(current.json) === text) return;
    if (current !== undefined && 'missing' in current) return;
    const read = formOf(jsonFrom(text));
    if (read === undefined) isJson.value = true;
    form.value = read;
  }, [text]);
  useEffect(() => {
    const timer = setTimeout(() => {
      asked.value = { text, query };
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, query]);

  const change = (next: Form) => {
    form.value = next;
    const made = jsonOf(next);
    missing.value = 'missing' in made ? made.missing : '';
    if ('json' in made) setParams({ aggs: writeJson(made.json) });
  };
  const selectTab = (name: 'form' | 'json') => {
    isJson.value = name === 'json';
    if (name === 'form') form.value = formOf(jsonFrom(text)) ?? form.value ?? { levels: [], metrics: [] };
  };
  const answered = useAnswer(
    async (signal) => {
      if (asked.value.text === '' || index === '') return undefined;
      const aggs = parseJson(asked.value.text);
      const body = bodyOf(asked.value.query, filters, aggs);
      return { result: resultOf(aggs, await client.search<JsonObject>(index, body, { signal })) };
    },
    [client, index, asked.value.text, asked.value.query, params.get('filters')],
  );
  const addFilters = (added: readonly Json[], label: string) => {
    const all: NamedFilter[] = [
      ...filters,
      { label, filter: added.length === 1 ? added[0]! : { bool: { must: [...added] } } },
    ];
    setParams({ filters: writeJson(all) });
  };
  const proposeInterval = (part: Part) =>
    intervalFor(part, (body) => client.search<JsonObject>(index, body, { quiet: true }));
  const { value, error, isLoading } = answered.value;
  return (
    <>
      <ViewHeader title="Aggregations">
        <IndexPicker />
      </ViewHeader>
      <div class="stack">
        <QueryRow query={query} filters={filters} />
        <div class="aggregations-layout">
          <Panel
            title="Aggregation"
            actions={<CopyButton label="Copy request" text={() => copied(query, filters, text)} />}
          >
            <Tabs
              label="How it is made"
              tabs={[
                { name: 'form', title: 'Builder' },
                { name: 'json', title: 'JSON' },
              ]}
              selected={isJson.value ? 'json' : 'form'}
              onSelect={selectTab}
            >
              {isJson.value ? (
                <AggregationsEditor
                  value={pretty(text)}
                  onChange={(typed) => isAggregations(typed) && setParams({ aggs: typed })}
                />
              ) : fields.value.value === undefined ? (
                fields.value.error === undefined && <Spinner label="Asking for fields" />
              ) : (
                <Builder
                  form={form.value ?? { levels: [], metrics: [] }}
                  fields={fields.value.value}
                  onChange={change}
                  proposeInterval={proposeInterval}
                />
              )}
              {missing.value !== '' && !isJson.value && <p class="muted missing">{missing.value}</p>}
              {fields.value.value?.length === 0 && <p class="muted">The index has no fields yet.</p>}
            </Tabs>
          </Panel>
          <div class="stack results" aria-busy={isLoading}>
            {error !== undefined && <ErrorBox error={error} />}
            {fields.value.error !== undefined && error === undefined && (
              <ErrorBox error={fields.value.error} />
            )}
            {value !== undefined ? (
              <Results result={value.result} onFilter={addFilters} />
            ) : isLoading && error === undefined ? (
              <Spinner label="Counting" />
            ) : (
              error === undefined && <p class="empty">Choose an index and a field.</p>
            )}
          </div>
        </div>
      </div>
    </>
  );
}

function bodyOf(query: string, filters: readonly NamedFilter[], aggs: Json): JsonObject {
  return {
    size: 0,
    query: filteredQuery(
      queryOf(query),
      filters.map(({ filter }) => filter),
    ),
    aggs,
  };
}

function copied(query: string, filters: readonly NamedFilter[], text: string): string {
  try {
    return writeJson(bodyOf(query, filters, parseJson(text === '' ? '{}' : text)), 2);
  } catch {
    return text;
  }
}

/** An interval for a field's values. */
async function intervalFor(part: Part, search: (body: Json) => Promise<JsonObject>): Promise<Part> {
  const answer = await search({
    size: 0,
    aggs: { min: { min: { field: part.field } }, max: { max: { field: part.field } } },
  });
  const ends = isObject(answer.aggregations) ? answer.aggregations : {};
  const value = (end: Json | undefined) => (isObject(end) ? numberOf(end.value) : undefined);
  const [min, max] = [value(ends.min), value(ends.max)];
  if (min === undefined || max === undefined) return part;
  const interval = part.kind === 'histogram' ? String(roundInterval(min, max)) : calendarInterval(min, max);
  return { ...part, options: { ...part.options, interval } };
}

function jsonFrom(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function isAggregations(text: string): boolean {
  const json = jsonFrom(text);
  return isObject(json) && Object.keys(json).length > 0;
}

/** What was typed stays as it was; what the builder has made is laid out. */
function pretty(text: string): string {
  const json = jsonFrom(text);
  return text.includes('\n') || json === undefined ? text : writeJson(json, 2);
}
