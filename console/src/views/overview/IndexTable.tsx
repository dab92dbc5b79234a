/** All indices: what each holds and takes, and a way to its actions. */
import { useSignal } from '@preact/signals';
import { linkTo } from '../../app/location';
import { DataTable } from '../../components/DataTable';
import { formatBytes, formatCount } from '../../components/formats';
import { HealthDot } from '../../components/HealthDot';
import type { IndexRow } from './indices';

interface IndexTableProps {
  rows: readonly IndexRow[];
  onManage: (row: IndexRow) => void;
}

/** More than these are looked through by a part of their name. */
const FEW = 10;
const PAGE = 50;

export function IndexTable({ rows, onManage }: IndexTableProps) {
  const wanted = useSignal('');
  const part = wanted.value.trim().toLowerCase();
  const shown =
    part === ''
      ? rows
      : rows.filter(
          ({ name, aliases }) =>
            name.toLowerCase().includes(part) || aliases.some((alias) => alias.toLowerCase().includes(part)),
        );
  return (
    <>
      {rows.length > FEW && (
        <label class="picker filter">
          Name
          <input
            type="search"
            value={wanted.value}
            placeholder="a part of a name or alias"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => {
              wanted.value = event.currentTarget.value;
            }}
          />
          <span class="muted" role="status">
            {formatCount(shown.length)} of {formatCount(rows.length)}
          </span>
        </label>
      )}
      <DataTable
        caption="Indices"
        rows={shown}
        rowKey={({ name }) => name}
        sorted="name"
        pageSize={PAGE}
        empty="No index has such a name."
        columns={[
          {
            name: 'name',
            title: 'Name',
            sortBy: ({ name }) => name,
            cell: (row) => <NameCell row={row} />,
          },
          number('documents', 'Documents', formatCount),
          number('deleted', 'Deleted', formatCount),
          number('disk', 'On disk', formatBytes),
          number('memory', 'In memory', formatBytes),
          {
            name: 'shards',
            title: 'Shards',
            isNumber: true,
            sortBy: ({ shards }) => shards ?? -1,
            cell: ({ shards, replicas }) =>
              shards === undefined ? '–' : replicas === 0 ? shards : `${shards} + ${replicas}×`,
          },
          number('segments', 'Segments', formatCount),
          {
            name: 'manage',
            title: '',
            cell: (row) => (
              <button
                type="button"
                class="small"
                aria-label={`Manage ${row.name}`}
                onClick={() => onManage(row)}
              >
                Manage
              </button>
            ),
          },
        ]}
      />
    </>
  );
}

function NameCell({ row: { name, isOpen, health, aliases } }: { row: IndexRow }) {
  return (
    <span class="index-name">
      {isOpen && <HealthDot status={health} />}
      {isOpen ? <a href={linkTo('search', { index: name })}>{name}</a> : <span>{name}</span>}
      {!isOpen && <span class="tag">closed</span>}
      {aliases.map((alias) => (
        <span key={alias} class="tag" title={`${alias} is an alias of it`}>
          {alias}
        </span>
      ))}
    </span>
  );
}

/** A column of numbers that a closed index hasn't. */
function number(
  name: 'documents' | 'deleted' | 'disk' | 'memory' | 'segments',
  title: string,
  format: (value: number) => string,
) {
  return {
    name,
    title,
    isNumber: true,
    sortBy: (row: IndexRow) => row[name] ?? -1,
    cell: (row: IndexRow) => {
      const value = row[name];
      return value === undefined ? '–' : format(value);
    },
  };
}
