/** The tables of an answer, their rows piece by piece. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Answer } from '../../api/client';
import { DataTable } from '../../components/DataTable';
import { formatCount } from '../../components/formats';
import { type AnswerTable, tablesOf } from './answerTable';

/** Rows that are shown at once: more take longer than one waits for a click. */
const PIECE = 100;

export function AnswerTables({ answer }: { answer: Answer }) {
  const limit = useSignal(PIECE);
  const tables = useMemo(() => tablesOf(answer.json, answer.text, limit.value), [answer, limit.value]);
  const more = () => {
    limit.value += 2 * PIECE;
  };
  return (
    <div class="stack">
      {tables.map((table, i) => (
        <OneTable key={i} table={table} isOnly={tables.length === 1} onMore={more} />
      ))}
    </div>
  );
}

interface Row {
  cells: readonly string[];
  at: number;
}

interface OneTableProps {
  table: AnswerTable;
  isOnly: boolean;
  onMore: () => void;
}

function OneTable({ table, isOnly, onMore }: OneTableProps) {
  const { title, columns, rows, count, numbers } = table;
  return (
    <div>
      {!isOnly && <h3>{title}</h3>}
      <DataTable<Row>
        caption={title}
        rows={rows.map((cells, at) => ({ cells, at }))}
        rowKey={({ at }) => String(at)}
        columns={columns.map((name, i) => ({
          name: String(i),
          title: name,
          isNumber: numbers.has(i),
          cell: ({ cells }) => <span class="cell">{cells[i]}</span>,
          sortBy: ({ cells }) => (numbers.has(i) ? Number(cells[i]) : cells[i]!),
        }))}
      />
      {count > rows.length && (
        <button type="button" onClick={onMore}>
          Show more of {formatCount(count)} rows
        </button>
      )}
    </div>
  );
}
