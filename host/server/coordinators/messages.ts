/** What the main thread and a coordinator say to each other. */

import type { Format } from '../../formats/format.js';
import type { GroovySettings } from '../../groovy/settings.js';
import type { PoolName } from '../../limits/threadPools.js';
import type { NodeNames } from '../../rest/cluster/node.js';
import type { ClusterSettings } from '../../metadata/stored.js';
import type { SlowEntry } from '../../settings/slowlog.js';
import type { Counters } from '../../shard/counters.js';
import type { AccessFiles } from '../access/serverAccess.js';
import type { AuditEntry } from '../http.js';
import type { HttpSettings } from '../options.js';
import type { ShardPlace } from '../pool.js';
import type { WireError, WorkerPort } from '../protocol.js';
import type { CopyNumbers } from '../searchCopies/copyTable.js';

/** A change that every coordinator knows before anybody is told that it is made. */
export type Change =
  /** An index has other metadata, or is there no more. */
  | { change: 'index'; name: string }
  | { change: 'settings'; settings: ClusterSettings }
  /** A data worker has taken the place of one that is gone. */
  | { change: 'worker'; worker: number; port: WorkerPort }
  /** The files of users and TLS are to be read again. */
  | { change: 'access' }
  /** A request has changed the file of users. */
  | { change: 'users' };

/** A request that the main thread answers. */
export interface Forwarded {
  method: string;
  uri: string;
  body: Uint8Array;
  /** The principal's identity; undefined for one that may do everything. */
  principal: string | undefined;
  format: Format | 'json' | undefined;
  /** A number of those whose requests share what one client may have. */
  asker: number;
}

/** An answer to it. */
export interface Answered {
  status: number;
  contentType: string;
  body: Uint8Array;
  /** The length of a body that is sent piece by piece. */
  streamed: number | undefined;
}

/** A route as it is measured. */
export interface MeasuredRoute {
  method: string;
  template: string;
  pool: PoolName;
}

/** What was counted since it was told last. */
export interface Counted {
  /** By the number of the shard in the store. */
  shards: [uid: number, counters: Counters][];
  answers: [status: number, count: number][];
  opened: number;
  /** The seconds that the requests of a route took. */
  measured: [route: MeasuredRoute, seconds: number[]][];
}

/** What a coordinator asks, each with a number that its answer has. */
export type Ask =
  | { ask: 'request'; id: number; request: Forwarded }
  | { ask: 'connect'; id: number; uid: number; lost: ShardPlace | undefined };

/** What a coordinator tells. */
export type Tell =
  | Ask
  | { tell: 'cancel'; id: number }
  /** The next piece of a streamed body is wanted, or none any more. */
  | { tell: 'take'; id: number }
  | { tell: 'release'; id: number }
  | { tell: 'listening' }
  | { tell: 'counted'; counted: Counted; id: number | undefined }
  | { tell: 'released' }
  | { tell: 'warn'; message: string }
  | { tell: 'audit'; entry: AuditEntry }
  | { tell: 'slow'; entry: SlowEntry }
  | { tell: 'debug'; fields: object; message: string }
  | { tell: 'closed' };

/** What the main thread tells. */
export type Told =
  | Change
  | { answer: number; value: unknown }
  | { answer: number; error: WireError }
  /** A piece of a streamed body; none: that was all. */
  | { piece: number; bytes: Uint8Array | undefined; error: WireError | undefined }
  /** Tell what was counted. */
  | { count: number }
  | { close: true };

/** What a coordinator is started with. */
export interface CoordinatorData {
  /** Its place among the {@link SharedNumbers}. */
  place: number;
  numbers: Int32Array<SharedArrayBuffer>;
  /** How many changes had been sent before it was started. */
  changes: number;
  module: WebAssembly.Module;
  searchMemory: Int32Array;
  /** What is known of copies of shards. */
  copies: CopyNumbers;
  /** The ways to the data workers. */
  workers: WorkerPort[];
  /** The folder of the store. */
  store: string;
  settings: ClusterSettings;
  nodeId: string;
  /** The descriptor of the socket that it listens to. */
  fd: number;
  host: string;
  /** What answers show of the node and the cluster. */
  names: Pick<NodeNames, 'node' | 'cluster' | 'maxBody'>;
  http: HttpSettings;
  access: AccessFiles;
  audited: boolean;
  /** Which scripts in Groovy may run; undefined: none. */
  scripts: GroovySettings | undefined;
  /** Whether every answer is told. */
  debug: boolean;
}
