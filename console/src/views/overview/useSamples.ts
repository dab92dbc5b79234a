/** Readings of the node, taken while the overview is seen. What was read stays for whoever comes back to it. */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Client, RequestError } from '../../api/client';
import { isObject, type JsonObject } from '../../api/json';
import { useClient } from '../../app/context';
import { whileVisible } from '../../app/whileVisible';
import { Addresses } from './addresses';
import { readSample, type Sample, withSample } from './samples';

const INTERVAL_MS = 2000;
const STATS = '/_nodes/stats/indices,os,process,jvm,thread_pool,fs,http,breaker';
const METRICS = '/_prometheus/metrics';

export interface NodeState {
  past: readonly Sample[];
  /** By id, as `_nodes/stats` tells of them, with their `http_address`. */
  nodes: Record<string, JsonObject>;
  error: unknown;
}

const states = new WeakMap<Client, Signal<NodeState>>();

function stateOf(client: Client): Signal<NodeState> {
  let state = states.get(client);
  if (state === undefined) {
    state = signal<NodeState>({ past: [], nodes: {}, error: undefined });
    states.set(client, state);
  }
  return state;
}

export function useSamples(): ReadonlySignal<NodeState> {
  const client = useClient();
  const state = stateOf(client);
  const signedIn = client.signedIn.value;
  useEffect(() => {
    /** Whether the server measures: an engine in a tab doesn't. */
    let isMeasured = true;
    let isRefused = false;
    const addresses = new Addresses(client);
    return whileVisible(INTERVAL_MS, async () => {
      if (isRefused || client.needsSignIn.peek()) return;
      try {
        const [{ nodes = {} }, metrics] = await Promise.all([
          client.get<{ nodes?: Record<string, JsonObject> }>(STATS, { quiet: true }),
          isMeasured ? client.send('GET', METRICS, undefined, { quiet: true }) : undefined,
        ]);
        isMeasured = metrics !== undefined && metrics.status === 200 && metrics.text.includes('_bucket{');
        const [node] = Object.values(nodes);
        if (!isObject(node)) return;
        const text = isMeasured ? metrics!.text : undefined;
        const sample = readSample(node, text, Date.now() / 1000);
        const past = withSample(state.peek().past, sample);
        state.value = { past, nodes: await addresses.added(nodes), error: undefined };
      } catch (error) {
        // Asking again would be refused again.
        isRefused = error instanceof RequestError && error.status === 403;
        state.value = { ...state.peek(), error };
      }
    });
  }, [client, signedIn]);
  return state;
}
