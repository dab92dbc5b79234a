/** The query that narrows the documents, and the buckets that one has clicked on, as filters that can be taken off again. */
import { isObject, type Json, parseJson, writeJson } from '../../api/json';
import { setParams } from '../../app/location';
import { Icon } from '../../components/Icon';

/** A filter with what it is called. */
export interface NamedFilter {
  label: string;
  filter: Json;
}

/** From the address; nothing where it is none. */
export function readFilters(text: string | null): readonly NamedFilter[] {
  try {
    const read = text === null ? [] : parseJson(text);
    if (!Array.isArray(read)) return [];
    return read.flatMap((each) =>
      isObject(each) && isObject(each.filter)
        ? [{ label: String(each.label ?? ''), filter: each.filter }]
        : [],
    );
  } catch {
    return [];
  }
}

export function QueryRow({ query, filters }: { query: string; filters: readonly NamedFilter[] }) {
  const remove = (at: number) => {
    const rest = filters.filter((_, i) => i !== at);
    setParams({ filters: rest.length === 0 ? '' : writeJson(rest) });
  };
  return (
    <div class="query-row">
      <label class="picker query">
        Query
        <input
          value={query}
          placeholder="all documents; words, field:value, or JSON"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setParams({ q: event.currentTarget.value })}
        />
      </label>
      {filters.length > 0 && (
        <ul class="filter-tags" aria-label="Filters">
          {filters.map(({ label, filter }, i) => (
            <li key={`${i}-${label}`} class="tag" title={writeJson(filter)}>
              <span>{label}</span>
              <button
                type="button"
                class="icon"
                aria-label={`Remove the filter ${label}`}
                onClick={() => remove(i)}
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
