/** Order, number of hits and page. */

import type { MappedField } from '../../api/mappingFields';
import { formatCount } from '../../components/formats';
import { type SearchState, SIZES } from './searchState';

const UNSORTABLE = new Set(['geo_point', 'geo_shape', 'binary', 'attachment', 'completion']);
/** The last hit that a page may show: shards keep that many in memory. */
const DEEPEST = 10_000;

interface ListOptionsProps {
  state: SearchState;
  fields: readonly MappedField[];
  onChange: (state: SearchState) => void;
}

export function ListOptions({ state, fields, onChange }: ListOptionsProps) {
  const sortable = fields.filter(
    ({ type, isAnalyzed, isIndexed }) => isIndexed && !isAnalyzed && !UNSORTABLE.has(type),
  );
  const names = [
    ...new Set([
      ...(state.sort === '' ? [] : [state.sort.split(':')[0]!]),
      ...sortable.map(({ path }) => path),
    ]),
  ];
  return (
    <div class="list-options">
      <label class="picker">
        Sort by
        <select
          value={state.sort}
          onChange={(event) => onChange({ ...state, from: 0, sort: event.currentTarget.value })}
        >
          <option value="">score</option>
          {names.flatMap((name) => [
            <option key={`${name}:asc`} value={`${name}:asc`}>{`${name}, ascending`}</option>,
            <option key={`${name}:desc`} value={`${name}:desc`}>{`${name}, descending`}</option>,
          ])}
        </select>
      </label>
      <label class="picker">
        Hits
        <select
          value={String(state.size)}
          onChange={(event) => onChange({ ...state, from: 0, size: Number(event.currentTarget.value) })}
        >
          {SIZES.map((size) => (
            <option key={size} value={String(size)}>
              {size}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

interface PagesProps {
  state: SearchState;
  total: number;
  onChange: (state: SearchState) => void;
}

export function Pages({ state, total, onChange }: PagesProps) {
  const { from, size } = state;
  if (total <= size && from === 0) return null;
  const last = Math.min(total, from + size);
  return (
    <nav class="pages" aria-label="Pages">
      <button
        type="button"
        disabled={from === 0}
        onClick={() => onChange({ ...state, from: Math.max(0, from - size) })}
      >
        Previous
      </button>
      <span class="muted">
        {from + 1}–{formatCount(last)} of {formatCount(total)}
      </span>
      <button
        type="button"
        disabled={last >= total || last >= DEEPEST}
        onClick={() => onChange({ ...state, from: from + size })}
      >
        Next
      </button>
    </nav>
  );
}
