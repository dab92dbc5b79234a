/** The most frequent values of the hits' fields, to filter by: counted when somebody wants to see them. */
import { useSignal } from '@preact/signals';
import { encodeNames } from '../../api/client';
import { isObject, type Json, type JsonObject, parseExactJson, writeJson } from '../../api/json';
import type { MappedField } from '../../api/mappingFields';
import { useClient } from '../../app/context';
import { Bar } from '../../components/Bar';
import { ErrorBox } from '../../components/ErrorBox';
import { formatCount } from '../../components/formats';
import { Spinner } from '../../components/Spinner';
import { useAnswer } from '../../components/useAnswer';
import { textOf } from './searchAnswer';

/** Fields whose values are counted, and values of each. */
const FIELDS = 6;
const VALUES = 8;
const COUNTED = ['string', 'boolean', 'integer', 'short', 'byte', 'long', 'ip'];

interface ValueCountsProps {
  index: string;
  query: Json;
  fields: readonly MappedField[];
  onFilter: (field: string, value: Json) => void;
}

export function ValueCounts(props: ValueCountsProps) {
  const isOpen = useSignal(false);
  const fields = props.fields
    .filter(
      ({ type, isAnalyzed, isIndexed, nested }) =>
        COUNTED.includes(type) && !isAnalyzed && isIndexed && !nested,
    )
    // Names and kinds first: numbers have too many values, most of the time.
    .sort((a, b) => Number(b.type === 'string') - Number(a.type === 'string'))
    .slice(0, FIELDS);
  if (fields.length === 0) return null;
  return (
    <details
      class="value-counts"
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>Values to filter by</summary>
      {isOpen.value && <Counts {...props} fields={fields} />}
    </details>
  );
}

function Counts({ index, query, fields, onFilter }: ValueCountsProps) {
  const client = useClient();
  const names = fields.map(({ path }) => path);
  const { value, error } = useAnswer(
    async (signal) => {
      const aggs = Object.fromEntries(names.map((field, i) => [`f${i}`, { terms: { field, size: VALUES } }]));
      const path = `${index === '' ? '' : `/${encodeNames(index)}`}/_search?search_type=count`;
      // Sent as any other request; its answer is read with all digits.
      const answer = await client.send('POST', path, { query, aggs } as JsonObject, { signal, quiet: true });
      const json = answer.status < 400 ? parseExactJson(answer.text) : undefined;
      if (!isObject(json)) throw new Error(answer.text);
      return names
        .map((field, i) => ({ field, values: bucketsOf(json, `f${i}`) }))
        .filter(({ values }) => values.length > 0);
    },
    [client, index, writeJson(query), names.join(',')],
  ).value;
  if (error !== undefined) return <ErrorBox error={error} />;
  if (value === undefined) return <Spinner label="Counting" />;
  if (value.length === 0) return <p class="muted">The hits have no values in these fields.</p>;
  return (
    <div class="counts">
      {value.map(({ field, values }) => {
        const most = Math.max(...values.map(({ count }) => count));
        return (
          <section key={field} aria-label={`Values of ${field}`}>
            <h3>{field}</h3>
            <ul>
              {values.map(({ value: each, count }) => (
                <li key={textOf(each)}>
                  <button
                    type="button"
                    class="value"
                    title={`Only hits with ${field} ${textOf(each)}`}
                    onClick={() => onFilter(field, each)}
                  >
                    {textOf(each)}
                  </button>
                  <span class="number muted">{formatCount(count)}</span>
                  <Bar share={count / most} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function bucketsOf(json: JsonObject, name: string): { value: Json; count: number }[] {
  const all = isObject(json.aggregations) ? json.aggregations : {};
  const own = isObject(all[name]) ? all[name] : {};
  const buckets = Array.isArray(own.buckets) ? own.buckets.filter(isObject) : [];
  return buckets.map(({ key, key_as_string: shown, doc_count: count }) => ({
    // A boolean's key is T or F.
    value: (typeof shown === 'string' && typeof key === 'string' ? shown : key) ?? null,
    count: Number(textOf(count)),
  }));
}
