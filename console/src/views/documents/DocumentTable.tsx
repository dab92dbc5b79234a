/** Documents as rows. A click on a value makes it a filter. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { isObject, type Json, type JsonObject, LosslessNumber, writeJson } from '../../api/json';
import type { MappedField } from '../../api/mappingFields';
import { linkTo, place, setParams } from '../../app/location';
import { type Column, DataTable } from '../../components/DataTable';
import { type Browsing, filterField, firstColumns, valueAt } from './browsing';
import { setFilters } from './Filters';

interface DocumentTableProps {
  hits: readonly JsonObject[];
  fields: readonly MappedField[];
  browsing: Browsing;
}

export function DocumentTable({ hits, fields, browsing }: DocumentTableProps) {
  const chosen = place.value.params.get('columns');
  const sources = useMemo(() => hits.map(({ _source }) => _source ?? {}), [hits]);
  const columns = useMemo(
    () => (chosen === null ? firstColumns(fields, sources) : chosen.split(',')),
    [chosen, fields, sources],
  );
  const isExactly = (name: string) => fields.find(({ path }) => path === name);
  return (
    <>
      <ColumnChoice columns={columns} fields={fields} />
      <DataTable<JsonObject>
        caption="Documents"
        rows={hits}
        rowKey={(hit) => `${text(hit._index)} ${text(hit._type)} ${text(hit._id)}`}
        empty="No document is found."
        columns={[
          { name: '_id', title: '_id', cell: (hit) => <a href={documentLink(hit)}>{text(hit._id)}</a> },
          { name: '_type', title: '_type', cell: (hit) => text(hit._type) },
          ...columns.map(
            (name): Column<JsonObject> => ({
              name,
              title: name,
              isNumber: /^(byte|short|integer|long|float|double)$/.test(isExactly(name)?.type ?? ''),
              cell: (hit) => (
                <Cell value={valueAt(hit._source, name)} column={name} fields={fields} browsing={browsing} />
              ),
            }),
          ),
        ]}
      />
    </>
  );
}

interface CellProps {
  value: Json | undefined;
  column: string;
  fields: readonly MappedField[];
  browsing: Browsing;
}

function Cell({ value, column, fields, browsing }: CellProps) {
  if (value === undefined || value === null) return null;
  const field = filterField(column, fields);
  const isPlain = !isObject(value) && !Array.isArray(value);
  const shown = text(value);
  if (field === undefined || !isPlain || shown.length > 200) return <span class="cell">{shown}</span>;
  return (
    <button
      type="button"
      class="cell value"
      title={`Only documents with ${column}: ${shown}`}
      onClick={() => setFilters([...browsing.filters, { field, value: shown, isNot: false }])}
    >
      {shown}
    </button>
  );
}

/** Columns that are shown: names with commas, kept in the address. */
function ColumnChoice({ columns, fields }: { columns: readonly string[]; fields: readonly MappedField[] }) {
  const filter = useSignal('');
  const own = fields.filter(({ isMultiField }) => !isMultiField);
  const found = own
    .filter(({ path }) => path.toLowerCase().includes(filter.value.toLowerCase()))
    .slice(0, 60);
  const set = (next: readonly string[]) => setParams({ columns: next.join(',') });
  return (
    <details class="columns">
      <summary>Columns ({columns.length})</summary>
      {own.length > 20 && (
        <input
          type="search"
          aria-label="Fields with"
          placeholder="fields with…"
          value={filter.value}
          onInput={(event) => {
            filter.value = event.currentTarget.value;
          }}
        />
      )}
      <div class="column-list">
        {found.map(({ path }) => (
          <label key={path}>
            <input
              type="checkbox"
              checked={columns.includes(path)}
              onChange={(event) =>
                set(
                  event.currentTarget.checked ? [...columns, path] : columns.filter((each) => each !== path),
                )
              }
            />
            {path}
          </label>
        ))}
      </div>
    </details>
  );
}

/** The address of a hit's document. Those that are browsed stay behind it. */
function documentLink({ _index, _type, _id, _routing, _parent, fields }: JsonObject): string {
  const inner = isObject(fields) ? fields : {};
  const params = Object.fromEntries(place.value.params);
  return linkTo('documents', {
    ...params,
    index: text(_index),
    type: text(_type),
    id: text(_id),
    routing: text(_routing ?? inner._routing ?? _parent ?? inner._parent),
  });
}

function text(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (value instanceof LosslessNumber) return value.value;
  return typeof value === 'object' ? writeJson(value) : String(value);
}
