/** The tables of an answer, their rows piece by piece. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Answer } from '../../api/client';
import { DataTable } from '../../components/DataTable';
import { formatCount } from '../../components/formats';
import { type AnswerTable, tablesOf } from './answerTable';

const PIECE = 200;

export function AnswerTables({ answer }: { answer: Answer }) {
  const tables = useMemo(() => tablesOf(answer.json, answer.text), [answer]);
  return (
    <div class="stack">
      {tables.map((table, i) => (
        <OneTable key={i} table={table} isOnly={tables.length === 1} />
      ))}
    </div>
  );
}

interface Row {
  cells: readonly string[];
  at: number;
}

function OneTable({ table, isOnly }: { table: AnswerTable; isOnly: boolean }) {
  const { title, columns, rows, numbers } = table;
  const shown = useSignal(PIECE);
  return (
    <div>
      {!isOnly && <h3>{title}</h3>}
      <DataTable<Row>
        caption={title}
        rows={rows.slice(0, shown.value).map((cells, at) => ({ cells, at }))}
        rowKey={({ at }) => String(at)}
        columns={columns.map((name, i) => ({
          name: String(i),
          title: name,
          isNumber: numbers.has(i),
          cell: ({ cells }) => <span class="cell">{cells[i]}</span>,
          sortBy: ({ cells }) => (numbers.has(i) ? Number(cells[i]) : cells[i]!),
        }))}
      />
      {rows.length > shown.value && (
        <button
          type="button"
          onClick={() => {
            shown.value += 5 * PIECE;
          }}
        >
          Show more of {formatCount(rows.length)} rows
        </button>
      )}
    </div>
  );
}
