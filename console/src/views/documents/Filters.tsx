/** What narrows the documents: words, values of fields, an order. */
import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { MappedField } from '../../api/mappingFields';
import { setParams } from '../../app/location';
import { Icon } from '../../components/Icon';
import { type Browsing, type FieldFilter, sortableFields, writeFilters } from './browsing';

/** Milliseconds after the last key. */
const PAUSE = 300;

export function setFilters(filters: readonly FieldFilter[]): void {
  setParams({ filter: writeFilters(filters), page: undefined });
}

export function Filters({ browsing, fields }: { browsing: Browsing; fields: readonly MappedField[] }) {
  const { words, filters, sort } = browsing;
  const typed = useSignal(words);
  const isDown = sort.startsWith('-');
  const sortField = isDown ? sort.slice(1) : sort;
  useEffect(() => {
    typed.value = words;
  }, [words]);
  useEffect(() => {
    if (typed.value === words) return;
    const timer = setTimeout(() => setParams({ q: typed.value, page: undefined }), PAUSE);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return (
    <div class="filters">
      <label class="picker words">
        Words
        <input
          type="search"
          value={typed.value}
          placeholder="title:time AND year:[1890 TO 1900]"
          spellcheck={false}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
          }}
          onChange={(event) => setParams({ q: event.currentTarget.value, page: undefined })}
        />
      </label>
      <label class="picker">
        Sort
        <select
          value={sortField}
          onChange={(event) => setParams({ sort: event.currentTarget.value, page: undefined })}
        >
          <option value="">as they come</option>
          {sortableFields(fields).map(({ path }) => (
            <option key={path} value={path}>
              {path}
            </option>
          ))}
        </select>
      </label>
      {sort !== '' && (
        <button
          type="button"
          class="small"
          onClick={() => setParams({ sort: isDown ? sortField : `-${sortField}`, page: undefined })}
        >
          {isDown ? '↓ largest first' : '↑ smallest first'}
        </button>
      )}
      <AddFilter filters={filters} fields={fields} />
      {filters.length > 0 && (
        <ul class="chosen" aria-label="Filters">
          {filters.map((filter, i) => (
            <li key={`${i} ${filter.field}`} class="tag">
              {filter.isNot ? 'not ' : ''}
              {filter.field}
              {filter.value === undefined ? ' has a value' : `: ${filter.value}`}
              <button
                type="button"
                class="icon"
                aria-label={`Take away the filter ${filter.field}`}
                onClick={() => setFilters(filters.filter((each) => each !== filter))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function AddFilter({ filters, fields }: { filters: readonly FieldFilter[]; fields: readonly MappedField[] }) {
  const isOpen = useSignal(false);
  const field = useSignal('');
  const value = useSignal('');
  const isNot = useSignal(false);
  const list = useId();
  if (!isOpen.value)
    return (
      <button
        type="button"
        class="small quiet"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        <Icon name="add" /> Filter
      </button>
    );
  return (
    <form
      class="add-filter"
      onSubmit={(event) => {
        event.preventDefault();
        if (field.value === '') return;
        setFilters([
          ...filters,
          { field: field.value, value: value.value === '' ? undefined : value.value, isNot: isNot.value },
        ]);
        isOpen.value = false;
        field.value = '';
        value.value = '';
      }}
    >
      <input
        aria-label="Field"
        placeholder="field"
        list={list}
        value={field.value}
        onInput={(event) => {
          field.value = event.currentTarget.value;
        }}
      />
      <datalist id={list}>
        {fields.map(({ path, type }) => (
          <option key={path} value={path}>
            {type}
          </option>
        ))}
      </datalist>
      <select
        aria-label="Condition"
        onChange={(event) => {
          isNot.value = event.currentTarget.value === 'not';
        }}
      >
        <option value="is">is</option>
        <option value="not">is not</option>
      </select>
      <input
        aria-label="Value, empty for any"
        placeholder="any value"
        value={value.value}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
      <button type="submit" class="small primary">
        Add
      </button>
      <button
        type="button"
        class="small quiet"
        onClick={() => {
          isOpen.value = false;
        }}
      >
        Cancel
      </button>
    </form>
  );
}
