/** The field of a form for one option of an aggregation. */
import { useId } from 'preact/hooks';
import { type Form, nameOf } from './aggregationForm';
import type { KindOption } from './kinds';

interface PartOptionProps {
  option: KindOption;
  value: string;
  /** Orders name its numbers. */
  form: Form;
  onChange: (text: string) => void;
}

/** Numbers that have several values can't order buckets by their name alone. */
const ORDERS: ReadonlySet<string> = new Set(['avg', 'sum', 'min', 'max', 'cardinality', 'value_count']);

export function PartOption({ option, value, form, onChange }: PartOptionProps) {
  const list = useId();
  const { title, type, placeholder = '', offers } = option;
  if (type === 'order')
    return (
      <label>
        {title}
        <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">most documents first</option>
          <option value="_count:asc">fewest documents first</option>
          <option value="_term:asc">terms from a to z</option>
          <option value="_term:desc">terms from z to a</option>
          {form.metrics
            .filter(({ kind, field }) => ORDERS.has(kind) && field !== '')
            .flatMap((metric) => [
              <option key={`${nameOf(metric)}:desc`} value={`${nameOf(metric)}:desc`}>
                largest {nameOf(metric)} first
              </option>,
              <option key={`${nameOf(metric)}:asc`} value={`${nameOf(metric)}:asc`}>
                smallest {nameOf(metric)} first
              </option>,
            ])}
        </select>
      </label>
    );
  if (type === 'filters')
    return (
      <label class="long">
        {title}
        <textarea
          rows={3}
          value={value}
          placeholder={placeholder}
          spellcheck={false}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </label>
    );
  return (
    <label class={type === 'ranges' || type === 'numbers' ? 'long' : ''}>
      {title}
      <input
        value={value}
        list={offers === undefined ? undefined : list}
        placeholder={placeholder}
        inputMode={type === 'number' ? 'decimal' : undefined}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {offers !== undefined && (
        <datalist id={list}>
          {offers.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </label>
  );
}
