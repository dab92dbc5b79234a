/** The nodes: where they answer, what they have left. */
import { isObject, type JsonObject } from '../../api/json';
import { Bar } from '../../components/Bar';
import { DataTable } from '../../components/DataTable';
import { formatBytes, formatCount, formatDuration } from '../../components/formats';
import { Panel } from '../../components/Panel';

export interface NodeRow {
  id: string;
  /** Whether it may have copies of shards. */
  hasData: boolean;
  name: string;
  /** Where it answers HTTP. */
  address: string;
  uptime: number;
  cpu: number;
  resident: number;
  memory: number;
  diskFree: number;
  disk: number;
  connections: number;
}

export function readNodes(nodes: Record<string, JsonObject>): NodeRow[] {
  return Object.entries(nodes).map(([id, node]) => {
    const at = (...path: string[]): unknown =>
      path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), node);
    const number = (...path: string[]) => {
      const value = at(...path);
      return typeof value === 'number' ? value : 0;
    };
    return {
      id,
      hasData: at('attributes', 'data') !== 'false',
      name: String(node.name ?? id),
      address: String(node.http_address ?? '').replace(/^inet\[\/?(.*)\]$/, '$1'),
      uptime: number('jvm', 'uptime_in_millis'),
      cpu: number('os', 'cpu', 'usage'),
      resident: number('process', 'mem', 'resident_in_bytes'),
      memory: number('os', 'mem', 'free_in_bytes') + number('os', 'mem', 'used_in_bytes'),
      diskFree: number('fs', 'total', 'available_in_bytes'),
      disk: number('fs', 'total', 'total_in_bytes'),
      connections: number('http', 'current_open'),
    };
  });
}

interface NodeTableProps {
  nodes: Record<string, JsonObject>;
  /** Names of nodes that are drained; undefined where there is one node. */
  drained?: readonly string[] | undefined;
  /** Has the copies leave a node, or lets them come back. */
  onDrain?: (node: string, drain: boolean) => void;
}

export function NodeTable({ nodes, drained, onDrain }: NodeTableProps) {
  // An engine in a tab knows nothing of a machine.
  const rows = readNodes(nodes).filter(({ resident }) => resident > 0);
  if (rows.length === 0) return null;
  return (
    <Panel title="Nodes">
      <DataTable
        caption="Nodes"
        rows={rows}
        rowKey={({ id }) => id}
        sorted="name"
        columns={[
          { name: 'name', title: 'Name', sortBy: ({ name }) => name, cell: ({ name }) => <b>{name}</b> },
          { name: 'address', title: 'Address', cell: ({ address }) => <code>{address}</code> },
          {
            name: 'uptime',
            title: 'Up for',
            isNumber: true,
            sortBy: ({ uptime }) => uptime,
            cell: ({ uptime }) => formatDuration(uptime),
          },
          {
            name: 'cpu',
            title: 'Processors',
            isNumber: true,
            sortBy: ({ cpu }) => cpu,
            cell: ({ cpu }) => <Share share={cpu / 100} text={`${cpu} %`} />,
          },
          {
            name: 'memory',
            title: 'Memory',
            isNumber: true,
            sortBy: ({ resident }) => resident,
            cell: ({ resident, memory }) => (
              <Share
                share={memory === 0 ? 0 : resident / memory}
                text={`${formatBytes(resident)} of ${formatBytes(memory)}`}
              />
            ),
          },
          {
            name: 'disk',
            title: 'Free disk',
            isNumber: true,
            sortBy: ({ diskFree }) => diskFree,
            cell: ({ diskFree, disk }) =>
              disk === 0 ? (
                '–'
              ) : (
                <Share share={diskFree / disk} text={`${formatBytes(diskFree)} of ${formatBytes(disk)}`} />
              ),
          },
          {
            name: 'connections',
            title: 'Connections',
            isNumber: true,
            sortBy: ({ connections }) => connections,
            cell: ({ connections }) => formatCount(connections),
          },
          ...(drained === undefined
            ? []
            : [
                {
                  name: 'data',
                  title: 'Data',
                  cell: (row: NodeRow) => (
                    <Draining row={row} isDrained={drained.includes(row.name)} onDrain={onDrain} />
                  ),
                },
              ]),
        ]}
      />
    </Panel>
  );
}

function Draining({
  row: { name, hasData },
  isDrained,
  onDrain,
}: {
  row: NodeRow;
  isDrained: boolean;
  onDrain: NodeTableProps['onDrain'];
}) {
  if (!hasData) return <span class="muted">none</span>;
  return (
    <button type="button" class="quiet" onClick={() => onDrain?.(name, !isDrained)}>
      {isDrained ? 'Let copies back' : 'Drain'}
      <span class="hidden"> {name}</span>
    </button>
  );
}

function Share({ share, text }: { share: number; text: string }) {
  return (
    <span class="share">
      {text}
      <Bar share={share} />
    </span>
  );
}
