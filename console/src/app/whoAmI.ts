/** Who is signed in, and what that one may do: views that are not for everybody aren't offered to others. */
import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { Client } from '../api/client';

export type IndexLevel = 'read' | 'write' | 'manage';
export type ClusterLevel = 'none' | 'monitor' | 'manage';

/** A level over indices and aliases of some names, in which `*` stands for anything. */
export interface IndexGrant {
  indices: string[];
  access: IndexLevel;
}

export interface Grants {
  grants: IndexGrant[];
  cluster: ClusterLevel;
}

/** As `GET /_security/_authenticate` tells it. */
export interface WhoAmI extends Grants {
  /** Of the user, or the id of the key. */
  name: string;
  kind: 'user' | 'key';
  /** Whether the server has users, whom somebody may keep. */
  has_users: boolean;
}

const known = new WeakMap<Client, ReadonlySignal<WhoAmI | undefined>>();

/** One for all who ask. Undefined until it is known, and where the server doesn't tell. */
export function whoAmI(client: Client): ReadonlySignal<WhoAmI | undefined> {
  const found = known.get(client);
  if (found !== undefined) return found;
  const who = signal<WhoAmI | undefined>(undefined);
  known.set(client, who);
  effect(() => {
    // Asked again when somebody else has signed in.
    const asked = client.signedIn.value;
    // It goes by nothing else that sending it looks at.
    untracked(() =>
      client.get<WhoAmI & Record<string, never>>('/_security/_authenticate', { quiet: true }),
    ).then(
      (answer) => {
        if (asked === client.signedIn.peek()) who.value = answer;
      },
      () => {
        if (asked === client.signedIn.peek()) who.value = undefined;
      },
    );
  });
  return who;
}

/** Whether somebody may use what takes a level over the cluster. */
export function mayCluster({ cluster }: WhoAmI, level: 'monitor' | 'manage'): boolean {
  return cluster === 'manage' || cluster === level;
}
