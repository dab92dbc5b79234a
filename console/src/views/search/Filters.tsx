/** The values that hits must have, or must not have. */
import { Icon } from '../../components/Icon';
import { textOf } from './searchAnswer';
import type { ValueFilter } from './searchState';

interface FiltersProps {
  filters: readonly ValueFilter[];
  onChange: (filters: readonly ValueFilter[]) => void;
}

export function Filters({ filters, onChange }: FiltersProps) {
  if (filters.length === 0) return null;
  return (
    <ul class="filters" aria-label="Filters">
      {filters.map((filter, i) => {
        const { field, value, isExcluded } = filter;
        const name = `${field} ${isExcluded ? 'is not' : 'is'} ${value === null ? 'missing' : textOf(value)}`;
        return (
          <li key={name} class="filter">
            <button
              type="button"
              title={isExcluded ? 'Only hits with it' : 'Only hits without it'}
              onClick={() =>
                onChange(filters.map((each, j) => (i === j ? { ...each, isExcluded: !isExcluded } : each)))
              }
            >
              {name}
            </button>
            <button
              type="button"
              class="icon"
              aria-label={`Remove the filter ${name}`}
              onClick={() => onChange(filters.filter((_, j) => j !== i))}
            >
              <Icon name="close" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
