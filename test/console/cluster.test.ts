/** The overview of a cluster: nodes, their copies, draining one, and a server that goes away. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { RunningServer } from '../../host/server/options.js';
import { startServer } from '../../host/server/server.js';
import { NatsServers, natsVersion } from '../cluster/harness/natsServers.js';
import { ConsoleSetup, chromiumFile } from './support/consolePage.js';

describe.runIf(chromiumFile !== undefined && natsVersion() !== undefined)('the overview of a cluster', () => {
  let nats: NatsServers;
  let setup: ConsoleSetup;
  let other: RunningServer;

  beforeAll(async () => {
    nats = await NatsServers.start(1);
    const join = { servers: [`nats://127.0.0.1:${nats.servers[0]!.port}`] };
    const common = { cluster: 'seen', join };
    setup = await ConsoleSetup.start({ ...common, node: 'one' });
    other = await startServer({ ...common, node: 'two', port: 0, data: ':memory:', threads: 1 });
    await setup.request('PUT', '/books', { settings: { number_of_shards: 2, number_of_replicas: 1 } });
    await setup.request('GET', '/_cluster/health?wait_for_status=green');
  });
  afterAll(async () => {
    await other?.close();
    await setup?.close();
    await nats?.close();
  });

  it('shows nodes and their copies, and drains a node by a click', async () => {
    const page = await setup.open();
    const grid = page.getByRole('table', { name: 'Copies of shards by node' });
    await grid.getByRole('columnheader', { name: 'two' }).waitFor();
    await grid.getByText('shard 1, primary, started').waitFor();
    // What users give their clients.
    await page.getByRole('table', { name: 'Nodes' }).getByText(new URL(other.url).host).waitFor();
    await page.getByRole('button', { name: 'Drain two' }).click();
    const dialog = page.getByRole('dialog', { name: 'Drain two' });
    await dialog.getByText('cluster.routing.allocation.exclude._name').waitFor();
    await dialog.getByRole('button', { name: 'Drain two' }).click();
    await page.getByRole('button', { name: 'Let copies back two' }).click();
    const back = page.getByRole('dialog', { name: 'Let copies back to two' });
    await back.getByRole('button', { name: 'Let copies back to two' }).click();
    await page.getByRole('button', { name: 'Drain two' }).waitFor();
  });

  it('says when the server goes away, and goes on when it is back', async () => {
    const page = await setup.open();
    await page.getByRole('table', { name: 'Nodes' }).locator('b', { hasText: 'two' }).waitFor();
    await page.context().setOffline(true);
    await page.getByText(/It is asked again every few seconds/).waitFor();
    await page.context().setOffline(false);
    await page.getByText(/It is asked again every few seconds/).waitFor({ state: 'detached' });
  });
});
