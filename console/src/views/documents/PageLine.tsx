/** Which documents are shown, and the way to others. */
import { setParams } from '../../app/location';
import { formatCount } from '../../components/formats';
import { Icon } from '../../components/Icon';
import { MAX_PAGED, PAGE } from './browsing';

interface PageLineProps {
  page: number;
  total: number;
  /** Milliseconds in the server. */
  took: number;
  isLoading: boolean;
  onReload: () => void;
}

export function PageLine({ page, total, took, isLoading, onReload }: PageLineProps) {
  const from = page * PAGE;
  const to = Math.min(total, from + PAGE);
  const reachable = Math.min(total, MAX_PAGED);
  const go = (next: number) => setParams({ page: next === 0 ? undefined : String(next + 1) });
  return (
    <div class="page-line">
      <span role="status">
        {total === 0
          ? 'No documents'
          : from >= total
            ? `This page is behind the last of ${formatCount(total)} documents`
            : `${formatCount(from + 1)} to ${formatCount(to)} of ${formatCount(total)} documents`}
      </span>
      <span class="muted">{isLoading ? 'searching…' : `${took} ms`}</span>
      <span class="actions">
        <button type="button" class="icon" aria-label="Search again" onClick={onReload}>
          <Icon name="refresh" />
        </button>
        <button type="button" class="small" disabled={page === 0} onClick={() => go(0)}>
          First
        </button>
        <button type="button" class="small" disabled={page === 0} onClick={() => go(page - 1)}>
          Previous
        </button>
        <button type="button" class="small" disabled={to >= reachable} onClick={() => go(page + 1)}>
          Next
        </button>
      </span>
      {total > MAX_PAGED && to >= MAX_PAGED && (
        <p class="muted">
          Pages end at {formatCount(MAX_PAGED)} documents: those behind cost the server as much as all before
          them. Narrow the documents by words or filters, sort the other way round, or take all of them out in
          “Data in and out”.
        </p>
      )}
    </div>
  );
}
