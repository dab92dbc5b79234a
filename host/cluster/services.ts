import type { Clock } from '../time/clock.js';
import type { Logs } from './log.js';
import type { Members } from './members.js';
import type { Peers } from './peers.js';

/** What a node needs to be part of a cluster. Each process has one. */
export interface ClusterServices {
  readonly logs: Logs;
  readonly members: Members;
  readonly peers: Peers;
  readonly clock: Clock;
  /** Ends reading, answering and asking; a node that hasn't left is gone after its time to live. */
  close(): Promise<void>;
}
