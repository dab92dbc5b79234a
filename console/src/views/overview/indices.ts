/** The indices as the overview lists them. */
import type { Client, SendOptions } from '../../api/client';
import type { HealthStatus } from '../../app/clusterState';

export interface IndexRow {
  name: string;
  isOpen: boolean;
  health: HealthStatus;
  /** Undefined, like the numbers below, for a closed index. */
  shards: number | undefined;
  replicas: number | undefined;
  documents: number | undefined;
  deleted: number | undefined;
  /** Bytes. */
  disk: number | undefined;
  memory: number | undefined;
  segments: number | undefined;
  aliases: readonly string[];
}

/** A line of `_cat/indices`: texts, null where nothing is known. */
type CatRow = Record<string, string | null>;

const COLUMNS = [
  'index',
  'status',
  'health',
  'pri',
  'rep',
  'docs.count',
  'docs.deleted',
  'store.size',
  'segments.count',
  'memory.total',
];
const LISTED = `/_cat/indices?format=json&bytes=b&h=${COLUMNS.join(',')}`;
const HEALTH = ['green', 'yellow', 'red'] as const;

export function readIndices(rows: readonly CatRow[], aliases: readonly CatRow[]): IndexRow[] {
  const byIndex = new Map<string, string[]>();
  for (const { alias, index } of aliases)
    if (alias && index) byIndex.set(index, [...(byIndex.get(index) ?? []), alias]);
  return rows.map((row): IndexRow => {
    const name = row.index ?? '';
    const number = (column: string) => (row[column] == null ? undefined : Number(row[column]));
    return {
      name,
      isOpen: row.status !== 'close',
      health: HEALTH.find((each) => each === row.health) ?? 'unknown',
      shards: number('pri'),
      replicas: number('rep'),
      documents: number('docs.count'),
      deleted: number('docs.deleted'),
      disk: number('store.size'),
      memory: number('memory.total'),
      segments: number('segments.count'),
      aliases: (byIndex.get(name) ?? []).sort(),
    };
  });
}

export async function askForIndices(client: Client, options: SendOptions): Promise<IndexRow[]> {
  const [rows, aliases] = await Promise.all([
    client.get<CatRow[]>(LISTED, options),
    client.get<CatRow[]>('/_cat/aliases?format=json&h=alias,index', options),
  ]);
  return readIndices(rows, aliases);
}

/** All of a number. */
export function sumOf(rows: readonly IndexRow[], of: 'documents' | 'disk' | 'memory' | 'segments'): number {
  return rows.reduce((all, row) => all + (row[of] ?? 0), 0);
}
