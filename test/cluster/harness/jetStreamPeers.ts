/**
 * Which servers of NATS the leader of JetStream knows. Of three that are started at once it may miss one for ever, from 2.10 on, though all have
 * routes to each other: nothing that needs all of them begins until the one that is missed is started again.
 */

/** What a server that leads tells at `/jsz` of its monitoring port: https://docs.nats.io/running-a-nats-service/nats_admin/monitoring. */
interface JetStreamState {
  readonly meta_cluster?: { readonly leader?: string; readonly replicas?: readonly { name: string }[] };
}

/** The names of those whom the leader knows, and its own; nothing as long as nobody leads. @param monitors addresses of monitoring ports */
export async function knownPeers(monitors: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  const states = await Promise.all(monitors.map(stateOf));
  for (const state of states) {
    const { leader, replicas } = state?.meta_cluster ?? {};
    if (leader !== undefined && replicas !== undefined)
      return new Set([leader, ...replicas.map(({ name }) => name)]);
  }
  return undefined;
}

async function stateOf(monitor: string): Promise<JetStreamState | undefined> {
  try {
    return (await (await fetch(`${monitor}/jsz`)).json()) as JetStreamState;
  } catch {
    // It may be starting.
    return undefined;
  }
}
