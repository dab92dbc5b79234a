/** What there is and how it is doing: health, what happens now, indices with their actions, nodes. */
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { RequestError } from '../../api/client';
import { useClient } from '../../app/context';
import { tellError } from '../../app/Toasts';
import { whileVisible } from '../../app/whileVisible';
import { type Action, ActionDialog } from '../../components/ActionDialog';
import { ErrorBox } from '../../components/ErrorBox';
import { Icon } from '../../components/Icon';
import { Panel } from '../../components/Panel';
import { Spinner } from '../../components/Spinner';
import { useAnswer } from '../../components/useAnswer';
import { ViewHeader } from '../../components/ViewHeader';
import { askForCopies, drainBody } from './copies';
import { CopyGrid } from './CopyGrid';
import { EmptyCluster } from './EmptyCluster';
import { IndexDialog } from './IndexDialog';
import { IndexTable } from './IndexTable';
import { askForIndices, type IndexRow } from './indices';
import { LiveCharts } from './LiveCharts';
import { NodeTable, readNodes } from './NodeTable';
import { type Health, Summary } from './Summary';
import { useSamples } from './useSamples';
import './overview.css';

const INTERVAL_MS = 10_000;

/** Loads with the editor when it is wanted. */
type CreateDialog = ComponentType<{ onClose: () => void; onDone: () => void }>;

export default function OverviewView() {
  const client = useClient();
  const isFirst = useRef(true);
  const managed = useSignal<IndexRow | undefined>(undefined);
  const create = useSignal<CreateDialog | undefined>(undefined);
  const answered = useAnswer(
    async (signal) => {
      const quiet = !isFirst.current;
      const [health, rows] = await Promise.all([
        client.get<Health & Record<string, never>>('/_cluster/health', { signal, quiet }),
        askForIndices(client, { signal, quiet }),
      ]);
      // Settings of the cluster are for those who may see them.
      const placed =
        health.number_of_nodes > 1
          ? await askForCopies(client, { signal, quiet }).catch(() => undefined)
          : undefined;
      isFirst.current = false;
      return { health, rows, placed };
    },
    [client],
  );
  const { value, error, reload } = answered.value;
  useEffect(() => {
    let isAsked = true;
    return whileVisible(INTERVAL_MS, async () => {
      // It has been asked for at the beginning.
      if (!isAsked && !client.needsSignIn.peek()) answered.peek().reload();
      isAsked = false;
    });
  }, [client]);
  const draining = useSignal<{ node: string; drain: boolean } | undefined>(undefined);
  const placed = value?.placed;
  const openCreate = () => {
    import('./CreateIndexDialog').then(({ default: Dialog }) => {
      create.value = Dialog;
    }, tellError);
  };
  const Create = create.value;
  const { past, nodes, error: samplesError } = useSamples().value;
  return (
    <>
      <ViewHeader title="Overview">
        <button type="button" class="quiet" onClick={reload}>
          <Icon name="refresh" /> Refresh
        </button>
        <button type="button" class="primary" onClick={openCreate}>
          <Icon name="add" /> Create index
        </button>
      </ViewHeader>
      <div class="stack">
        {value !== undefined && <Summary health={value.health} rows={value.rows} />}
        {samplesError === undefined ? (
          <LiveCharts past={past} />
        ) : samplesError instanceof RequestError && samplesError.status === 403 ? (
          <p class="muted">Charts and nodes are for those who may monitor the cluster.</p>
        ) : null}
        <Panel title="Indices" class="indices">
          {error !== undefined ? (
            <ErrorBox error={error} />
          ) : value === undefined ? (
            <Spinner label="Asking" />
          ) : value.rows.length === 0 ? (
            <EmptyCluster onCreate={openCreate} />
          ) : (
            <IndexTable
              rows={value.rows}
              onManage={(row) => {
                managed.value = row;
              }}
            />
          )}
        </Panel>
        {placed !== undefined && (
          <CopyGrid
            copies={placed.copies}
            nodes={readNodes(nodes)
              .filter(({ hasData }) => hasData)
              .map(({ name }) => name)}
          />
        )}
        <NodeTable
          nodes={nodes}
          drained={placed?.drained}
          onDrain={(node, drain) => {
            draining.value = { node, drain };
          }}
        />
      </div>
      {draining.value !== undefined && placed !== undefined && (
        <ActionDialog
          action={drainAction(placed.drained, draining.value)}
          onDone={reload}
          onClose={() => {
            draining.value = undefined;
          }}
        />
      )}
      {managed.value !== undefined && (
        <IndexDialog
          row={managed.value}
          onDone={reload}
          onClose={() => {
            managed.value = undefined;
          }}
        />
      )}
      {Create !== undefined && (
        <Create
          onDone={reload}
          onClose={() => {
            create.value = undefined;
          }}
        />
      )}
    </>
  );
}

function drainAction(drained: readonly string[], { node, drain }: { node: string; drain: boolean }): Action {
  return {
    title: drain ? `Drain ${node}` : `Let copies back to ${node}`,
    method: 'PUT',
    path: '/_cluster/settings',
    body: drainBody(drained, node, drain),
    done: drain ? `Copies leave ${node}.` : `Copies may come back to ${node}.`,
    ...(drain
      ? {
          warning: `The copies on ${node} are made on other nodes first. It may be stopped when it has none left.`,
        }
      : {}),
  };
}
