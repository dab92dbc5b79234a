/** The fields that words are searched in, each with a boost. */
import { useSignal } from '@preact/signals';
import type { MappedField } from '../../api/mappingFields';
import type { SearchedField } from './searchState';

/** Fields that are offered at once. */
const OFFERED = 12;

interface FieldChooserProps {
  fields: readonly MappedField[];
  chosen: readonly SearchedField[];
  onChange: (chosen: readonly SearchedField[]) => void;
}

export function FieldChooser({ fields, chosen, onChange }: FieldChooserProps) {
  const isAll = useSignal(false);
  const texts = fields.filter(
    ({ type, isIndexed, nested }) => type === 'string' && isIndexed && nested === undefined,
  );
  const names = [...new Set([...chosen.map(({ name }) => name), ...texts.map(({ path }) => path)])];
  const shown = isAll.value ? names : names.slice(0, Math.max(OFFERED, chosen.length));
  const toggle = (name: string) =>
    onChange(
      chosen.some((each) => each.name === name)
        ? chosen.filter((each) => each.name !== name)
        : [...chosen, { name, boost: '' }],
    );
  if (names.length === 0) return null;
  return (
    <fieldset class="chips">
      <legend>in</legend>
      <button type="button" class="chip" aria-pressed={chosen.length === 0} onClick={() => onChange([])}>
        all fields
      </button>
      {shown.map((name) => {
        const own = chosen.find((each) => each.name === name);
        return (
          <span key={name} class="field-chip">
            <button type="button" class="chip" aria-pressed={own !== undefined} onClick={() => toggle(name)}>
              {name}
            </button>
            {own !== undefined && (
              <label class="boost">
                <span aria-hidden="true">×</span>
                <span class="hidden">Boost of {name}</span>
                <input
                  type="number"
                  min="0"
                  step="0.5"
                  placeholder="1"
                  value={own.boost}
                  onInput={(event) => {
                    const boost = event.currentTarget.value;
                    onChange(chosen.map((each) => (each === own ? { name, boost } : each)));
                  }}
                />
              </label>
            )}
          </span>
        );
      })}
      {names.length > shown.length && (
        <button
          type="button"
          class="quiet small"
          onClick={() => {
            isAll.value = true;
          }}
        >
          {names.length - shown.length} more
        </button>
      )}
    </fieldset>
  );
}
