/** A part of a view with a heading, and perhaps with buttons beside it. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface PanelProps {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}

export function Panel({ title, actions, children, class: more = '' }: PanelProps) {
  const heading = useId();
  return (
    <section class={`panel ${more}`} aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{title}</h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
