/** Tables of text: which columns there are, which are wanted, and how they line up. */
import { formatNamed } from '../../formats/format.js';
import type { Engine } from '../../engine/engine.js';
import { elsewhere } from '../cluster/elsewhere.js';
import type { Json } from '../json.js';
import { json, type RestResponse, type RoutedRequest, text } from '../request.js';
import { flag } from '../request.js';
import { sizeText } from '../../settings/sizes.js';
import { timeText } from '../shape.js';
import { ownValue } from '../../ownNames.js';

/** A column. */
export interface Column {
  name: string;
  /** Other names, a comma list. */
  alias?: string;
  description: string;
  /** Numbers and sizes stand right. */
  right?: boolean;
  /** Only on request. */
  hidden?: boolean;
  /** The parameter that shows the column of this name before its own besides it: `pri` for `pri.store.size`. */
  sibling?: string;
}

/** A size in bytes. */
export class Bytes {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A duration in milliseconds. */
export class Millis {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A cell; undefined is blank. */
export type Cell = string | number | Bytes | Millis | undefined;

/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, Cell>>;

/** A table that is made when it is asked for. */
export interface Table {
  columns: readonly Column[];
  /** Columns that a request adds. */
  more?(request: RoutedRequest): Promise<Column[]>;
  rows(request: RoutedRequest): Promise<Row[]> | Row[];
  /**
   * Where each node of a cluster has rows of its own: the path at which the others are asked for theirs, undefined where they have none. It
   * names what the request may see: others don't know who asks.
   */
  elsewhere?(request: RoutedRequest): string | undefined;
}

/** Short for a column. */
export function column(name: string, alias: string, description: string, more: Partial<Column> = {}): Column {
  return { name, ...(alias === '' ? {} : { alias }), description, ...more };
}

/** Answers with a table, or with what its columns mean. */
export async function answerTable(
  engine: Engine,
  table: Table,
  request: RoutedRequest,
): Promise<RestResponse> {
  const { query } = request;
  if (flag(query, 'help')) return text(200, help(table.columns));
  const columns = [...table.columns, ...((await table.more?.(request)) ?? [])];
  const shown = chosen(columns, query);
  const rows = await table.rows(request);
  const own = rows.map((row) => shown.map(({ of }) => cellText(row[of.name], query)));
  const path = table.elsewhere?.(request);
  const others = path === undefined ? [] : await elsewhere(engine, request, path);
  const cells =
    others.length === 0 ? own : inOrder([...own, ...others.flatMap((each) => cellsOf(each, shown))]);
  if (formatNamed(query.get('format') ?? '') !== undefined) {
    const objects = cells.map(
      (row): Json => Object.fromEntries(row.map((cell, i) => [shown[i]!.as, cell ?? null])),
    );
    return json(request, 200, objects);
  }
  const head = flag(query, 'v') ? [shown.map(({ as }) => as)] : [];
  const all = [...head, ...cells.map((row) => row.map((cell) => cell ?? ''))];
  return text(
    200,
    lines(all, (i) => shown[i]!.of.right === true),
  );
}

/** The rows of another node. */
function cellsOf(rows: unknown, shown: readonly Shown[]): (string | undefined)[][] {
  if (!Array.isArray(rows)) return [];
  return rows.map((row: Readonly<Record<string, unknown>>) =>
    shown.map(({ as }) => (typeof row[as] === 'string' ? (row[as] as string) : undefined)),
  );
}

/** Rows of all nodes as one node would show them: by their cells, from the first on. */
function inOrder(rows: (string | undefined)[][]): (string | undefined)[][] {
  const compare = (a: readonly (string | undefined)[], b: readonly (string | undefined)[]) => {
    const at = a.findIndex((cell, i) => cell !== b[i]);
    return at < 0 ? 0 : (a[at] ?? '').localeCompare(b[at] ?? '', 'en', { numeric: true });
  };
  return rows.sort(compare);
}

/** A column under the name by which it was asked for. */
interface Shown {
  as: string;
  of: Column;
}

/** The wanted columns, each with its sibling if that is wanted too; unknown ones are left out. */
function chosen(columns: readonly Column[], query: ReadonlyMap<string, string>): Shown[] {
  const wanted = query.get('h');
  if (wanted === undefined)
    return columns.filter(({ hidden }) => hidden !== true).map((of) => ({ as: of.name, of }));
  const named = (as: string) => columns.find(({ name }) => name === as);
  return wanted.split(',').flatMap((as): Shown[] => {
    const of = named(as) ?? columns.findLast(({ alias }) => alias?.split(',').includes(as));
    if (of === undefined) return [];
    const { sibling } = of;
    const twin = sibling !== undefined && flag(query, sibling) ? named(`${sibling}.${of.name}`) : undefined;
    return twin === undefined
      ? [{ as, of }]
      : [
          { as, of },
          { as: `${sibling}.${as}`, of: twin },
        ];
  });
}

function help(columns: readonly Column[]): string {
  const rows = columns.map(({ name, alias = '', description }) => [name, alias, description]);
  const widths = [0, 1, 2].map((i) => Math.max(0, ...rows.map((row) => row[i]!.length)));
  return rows.map((row) => `${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')}\n`).join('');
}

function lines(rows: readonly (readonly string[])[], right: (column: number) => boolean): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const pad = (cell: string, i: number) => (right(i) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!));
  return rows.map((row) => `${row.map((cell, i) => `${pad(cell, i)} `).join('')}\n`).join('');
}

const BYTE_UNITS: Record<string, number> = {
  b: 1,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  t: 1024 ** 4,
  p: 1024 ** 5,
};
const TIME_UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function cellText(cell: Cell, query: ReadonlyMap<string, string>): string | undefined {
  if (cell instanceof Bytes)
    return inUnit(cell.value, ownValue(BYTE_UNITS, query.get('bytes') ?? '')) ?? sizeText(cell.value);
  if (cell instanceof Millis)
    return inUnit(cell.value, ownValue(TIME_UNITS, query.get('time') ?? '')) ?? timeText(cell.value);
  return cell === undefined ? undefined : String(cell);
}

function inUnit(value: number, unit: number | undefined): string | undefined {
  return unit === undefined ? undefined : String(Math.trunc(value / unit));
}
