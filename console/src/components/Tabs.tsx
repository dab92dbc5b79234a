/** Tabs, as the pattern of WAI-ARIA has them: arrow keys go from one to the next. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly { name: T; title: ComponentChildren }[];
  selected: T;
  onSelect: (name: T) => void;
  children: ComponentChildren;
}

export function Tabs<T extends string>({ label, tabs, selected, onSelect, children }: TabsProps<T>) {
  const id = useId();
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(({ name }) => name === selected);
    const { name } = tabs[(at + step + tabs.length) % tabs.length]!;
    onSelect(name);
    document.getElementById(`${id}-${name}`)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === selected}
            aria-controls={`${id}-panel`}
            tabIndex={name === selected ? 0 : -1}
            onClick={() => onSelect(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${selected}`} class="tab-panel">
        {children}
      </div>
    </div>
  );
}
