/** The heading of a view, and what belongs to all of it, such as the choice of an index. */
import type { ComponentChildren } from 'preact';

export function ViewHeader({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <header class="view-header">
      <h1>{title}</h1>
      {children !== undefined && <div class="tools">{children}</div>}
    </header>
  );
}
