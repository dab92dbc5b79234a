/** What there is: health, indices, nodes. */

import type { HealthStatus } from '../../app/clusterState';
import { useClient } from '../../app/context';
import { linkTo } from '../../app/location';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { formatCount } from '../../components/formats';
import { HealthDot } from '../../components/HealthDot';
import { Panel } from '../../components/Panel';
import { Spinner } from '../../components/Spinner';
import { useAnswer } from '../../components/useAnswer';
import { ViewHeader } from '../../components/ViewHeader';

interface IndexHealth {
  status: HealthStatus;
  number_of_shards: number;
}

interface Health {
  indices: Record<string, IndexHealth>;
}

interface Stats {
  indices: Record<string, { primaries: { docs: { count: number; deleted: number } } }>;
}

export default function OverviewView() {
  const client = useClient();
  const answered = useAnswer(
    async (signal) => {
      const [health, stats] = await Promise.all([
        client.get<Health>('/_cluster/health?level=indices', { signal }),
        client.get<Stats>('/_stats/docs,store', { signal }),
      ]);
      return Object.entries(health.indices).map(([name, { status, number_of_shards: shards }]) => ({
        name,
        status,
        shards,
        documents: stats.indices[name]?.primaries.docs.count ?? 0,
      }));
    },
    [client],
  );
  const { value, error } = answered.value;
  return (
    <>
      <ViewHeader title="Overview" />
      <Panel title="Indices">
        {error !== undefined ? (
          <ErrorBox error={error} />
        ) : value === undefined ? (
          <Spinner label="Asking" />
        ) : (
          <DataTable
            caption="Indices"
            rows={value}
            rowKey={({ name }) => name}
            sorted="name"
            empty="There is no index yet."
            columns={[
              { name: 'status', title: 'Health', cell: ({ status }) => <HealthDot status={status} /> },
              {
                name: 'name',
                title: 'Name',
                sortBy: ({ name }) => name,
                cell: ({ name }) => <a href={linkTo('search', { index: name })}>{name}</a>,
              },
              {
                name: 'documents',
                title: 'Documents',
                isNumber: true,
                sortBy: ({ documents }) => documents,
                cell: ({ documents }) => formatCount(documents),
              },
              {
                name: 'shards',
                title: 'Shards',
                isNumber: true,
                sortBy: ({ shards }) => shards,
                cell: ({ shards }) => shards,
              },
            ]}
          />
        )}
      </Panel>
    </>
  );
}
