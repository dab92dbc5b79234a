/** A table that can be sorted by its columns and scrolled sideways on a narrow screen. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { formatCount } from './formats';

export interface Column<Row> {
  name: string;
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** What it is sorted by; the column can't be sorted by without. */
  sortBy?: (row: Row) => number | string;
  /** Numbers stand right. */
  isNumber?: boolean;
}

interface DataTableProps<Row> {
  /** For those who hear the table. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Said where there are no rows. */
  empty?: ComponentChildren;
  /** The name of the column that it is sorted by at first, with a `-` before it for the largest first. */
  sorted?: string;
  /** So many rows are shown at first, and as many more with each press of a button; all without. */
  pageSize?: number;
}

export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  empty,
  sorted = '',
  pageSize = Infinity,
}: DataTableProps<Row>) {
  const shownRows = useSignal(pageSize);
  const order = useSignal(sorted);
  const isDown = order.value.startsWith('-');
  const name = isDown ? order.value.slice(1) : order.value;
  const sortBy = columns.find((column) => column.name === name)?.sortBy;
  const shown =
    sortBy === undefined ? rows : [...rows].sort((a, b) => compare(sortBy(a), sortBy(b)) * (isDown ? -1 : 1));
  return (
    // A part of the page that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by arrow keys
    <section class="table" tabIndex={0} aria-label={caption}>
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                class={column.isNumber ? 'number' : ''}
                aria-sort={column.name === name ? (isDown ? 'descending' : 'ascending') : undefined}
              >
                {column.sortBy === undefined ? (
                  column.title
                ) : (
                  <button
                    type="button"
                    onClick={() => {
                      order.value = column.name === name && !isDown ? `-${column.name}` : column.name;
                    }}
                  >
                    {column.title}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, shownRows.value).map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td key={column.name} class={column.isNumber ? 'number' : ''}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shownRows.value && (
        <p class="more">
          <button
            type="button"
            class="quiet small"
            onClick={() => {
              shownRows.value += pageSize;
            }}
          >
            Show more of {formatCount(rows.length)}
          </button>
        </p>
      )}
      {rows.length === 0 && <p class="empty">{empty ?? 'Nothing is here.'}</p>}
    </section>
  );
}

const collator = new Intl.Collator(undefined, { numeric: true });

function compare(a: number | string, b: number | string): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
}
