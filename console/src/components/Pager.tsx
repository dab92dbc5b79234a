/** Goes through a long list piece by piece. Nothing is shown where all fits. */
import { formatCount } from './formats';

interface PagerProps {
  /** What the list is of: `buckets`. */
  label: string;
  count: number;
  size: number;
  /** From 0. */
  page: number;
  onPage: (page: number) => void;
}

export function Pager({ label, count, size, page, onPage }: PagerProps) {
  if (count <= size) return null;
  const from = page * size;
  const to = Math.min(count, from + size);
  return (
    <nav class="pager actions" aria-label={`Pages of ${label}`}>
      <button type="button" class="small" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span class="muted" aria-live="polite">
        {formatCount(from + 1)} to {formatCount(to)} of {formatCount(count)} {label}
      </span>
      <button type="button" class="small" disabled={to >= count} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}
