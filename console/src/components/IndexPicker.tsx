/** The choice of an index or of several: one types, and names and aliases are offered. What is chosen stands in the address of the page. */
import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { useClient } from '../app/context';
import { selectedIndex, setParams } from '../app/location';
import { useDraft } from './useDraft';

interface IndexPickerProps {
  label?: string;
  /** Nothing chosen means all of them. */
  allowsAll?: boolean;
}

export function IndexPicker({ label = 'Index', allowsAll = false }: IndexPickerProps) {
  const client = useClient();
  const names = useSignal<readonly string[]>([]);
  const list = useId();
  const typed = useDraft(selectedIndex.value);
  const version = client.signedIn.value;
  useEffect(() => {
    client.get<Record<string, { aliases?: Record<string, unknown> }>>('/_aliases', { quiet: true }).then(
      (indices) => {
        const all = Object.entries(indices).flatMap(([name, { aliases = {} }]) => [
          name,
          ...Object.keys(aliases),
        ]);
        names.value = [...new Set(all)].sort();
        if (selectedIndex.peek() === '' && !allowsAll && names.value[0] !== undefined)
          setParams({ index: names.value[0] });
      },
      () => {},
    );
  }, [client, version]);
  return (
    <label class="picker">
      {label}
      <input
        list={list}
        value={typed.value}
        placeholder={allowsAll ? 'all indices' : 'name of an index'}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => typed.onInput(event.currentTarget.value)}
        onChange={(event) => {
          typed.onChange();
          setParams({ index: event.currentTarget.value.trim() });
        }}
      />
      <datalist id={list}>
        {names.value.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
