/** Which fields of hits are shown: the first few, or those that were chosen. */
import { useSignal } from '@preact/signals';
import type { MappedField } from '../../api/mappingFields';
import { setParams } from '../../app/location';

/** Fields that are offered at once. */
const OFFERED = 40;

/** The fields that an address names. */
export function shownFields(params: URLSearchParams): readonly string[] {
  return (params.get('show') ?? '').split(',').filter((name) => name !== '');
}

export function ShownFields({ fields, shown }: { fields: readonly MappedField[]; shown: readonly string[] }) {
  const isOpen = useSignal(false);
  const names = [
    ...new Set([...shown, ...fields.filter(({ isMultiField }) => !isMultiField).map(({ path }) => path)]),
  ];
  const show = (next: readonly string[]) => setParams({ show: next.join(',') });
  if (names.length === 0) return null;
  return (
    <details
      class="shown-fields"
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>{shown.length === 0 ? 'Fields shown' : `Fields shown: ${shown.join(', ')}`}</summary>
      {isOpen.value && (
        <fieldset class="chips">
          <legend class="hidden">Fields shown</legend>
          <button type="button" class="chip" aria-pressed={shown.length === 0} onClick={() => show([])}>
            the first few
          </button>
          {names.slice(0, Math.max(OFFERED, shown.length)).map((name) => {
            const isShown = shown.includes(name);
            return (
              <button
                key={name}
                type="button"
                class="chip"
                aria-pressed={isShown}
                onClick={() => show(isShown ? shown.filter((each) => each !== name) : [...shown, name])}
              >
                {name}
              </button>
            );
          })}
        </fieldset>
      )}
    </details>
  );
}
