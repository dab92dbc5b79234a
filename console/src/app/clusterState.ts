/** The cluster's name and health, asked for again every few seconds while the page is seen. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Client } from '../api/client';
import { whileVisible } from './whileVisible';

export type HealthStatus = 'green' | 'yellow' | 'red' | 'unknown';

export interface ClusterState {
  name: string | undefined;
  status: HealthStatus;
}

interface Health {
  cluster_name: string;
  status: HealthStatus;
}

const INTERVAL_MS = 5000;
const states = new WeakMap<Client, ReadonlySignal<ClusterState>>();

/** One for all who ask. */
export function cluster(client: Client): ReadonlySignal<ClusterState> {
  const known = states.get(client);
  if (known !== undefined) return known;
  const state = signal<ClusterState>({ name: undefined, status: 'unknown' });
  states.set(client, state);
  const ask = async () => {
    // Without credentials it would be refused again and again.
    if (client.needsSignIn.peek()) return;
    try {
      const { cluster_name: name, status } = await client.get<Health>('/_cluster/health', { quiet: true });
      state.value = { name, status };
    } catch {
      state.value = { name: state.peek().name, status: 'unknown' };
    }
  };
  whileVisible(INTERVAL_MS, ask);
  // Nobody waits for the next time who has just signed in.
  client.signedIn.subscribe((count) => {
    if (count > 0) void ask();
  });
  return state;
}
