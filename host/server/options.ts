/** How a server is started, and what is started: the types that the package exports. */
import type { Engine } from '../engine/engine.js';
import type { SharedNumbers } from './coordinators/sharedNumbers.js';
import type { CorsOptions } from './cors.js';
import type { Logger } from './log.js';
import type { WorkerPool } from './pool.js';
import type { TlsFiles } from './tls.js';

/** How HTTP is spoken; everything has 1.7's default. */
export interface HttpSettings {
  /** Bytes of a body, after it has been unpacked; 100 MB. */
  maxBody?: number;
  /** Pack answers for clients that take gzip. */
  compression?: boolean;
  /** Answer browsers of other origins. */
  cors?: CorsOptions;
  /** Milliseconds after which a client is let go that neither sends its body nor takes its answer. */
  idleMs?: number;
  /** More connections are closed as they come. */
  maxConnections?: number;
  /** Names under which the server may be addressed, besides those of the loopback interface; `*.example.org` is all below it. */
  hosts?: readonly string[];
  /** The folder of the console's files, or `false` for no console; the one that was built with the program. */
  console?: false | string;
}

/** Which scripts in Groovy may run; none without. */
export interface ScriptOptions {
  /** Those in requests. */
  inline?: boolean;
  /** Those that are stored with `PUT /_scripts/groovy/NAME`. */
  indexed?: boolean;
  /** The folder of `NAME.groovy`, which requests name as `script_file`; they are read at the start. */
  folder?: string;
}

/** How a node reaches the NATS servers that hold its cluster together. */
export interface ClusterOptions {
  /** `nats://HOST:PORT` or `tls://HOST:PORT`, with `USER:PASSWORD@` if need be. */
  servers: readonly string[];
  /** Whether the node may have copies of shards; it may without. */
  data?: boolean;
  /** What settings of allocation may name of the node, such as its zone; nothing. */
  attributes?: Readonly<Record<string, string>>;
  /** Milliseconds after which others make the copies of a node that went; 60,000. */
  graceMs?: number;
  token?: string;
  /** A file with the seed of an NKey. */
  nkeyFile?: string;
  /** A file of credentials, with a JWT and a seed. */
  credsFile?: string;
  /** Files for TLS; with any of them, connections without TLS are refused. */
  tls?: { caFile?: string; certFile?: string; keyFile?: string };
}

/** How a server is started; everything has a default. */
export interface ServerOptions {
  /** 9200; 0 takes any free port. */
  port?: number;
  /** 127.0.0.1. */
  host?: string;
  /** A folder, or `:memory:`; `./data`. */
  data?: string;
  /** Folders that snapshots may be kept in, as `path.repo`; `repositories` in the data folder. */
  repositories?: readonly string[];
  /**
   * Buckets that snapshots may be kept in: `s3://BUCKET/PREFIX` in Amazon's S3, `https://HOST/BUCKET/PREFIX` in a server that speaks its
   * interface; none. They need the package `@aws-sdk/client-s3`.
   */
  s3Repositories?: readonly string[];
  /** Addresses below which repositories of type `url` may be, such as `https://example.org/backups/`; none. */
  urlRepositories?: readonly string[];
  /** The cluster's name in answers; `elasticsearch`. */
  cluster?: string;
  /** The cluster that the server is a node of, by the name `cluster`; it is alone without. */
  join?: ClusterOptions;
  /** The node's name in answers; `Resilin`. */
  node?: string;
  /** Data workers; half of the cores, and all but one where there are fewer than four. */
  threads?: number;
  /** Threads that accept connections, the main one among them; half of the cores, and one where there are fewer than four. */
  coordinators?: number;
  /** Megabytes of results that each data worker keeps for searches that come again; 4, and 0 for none. */
  resultCache?: number;
  /** Further data workers that search each shard, in copies of its segments, when its own has several searches to do; 0. */
  searchCopies?: number;
  /** Which scripts in Groovy may run; none. */
  scripts?: ScriptOptions;
  /** How HTTP is spoken. */
  http?: HttpSettings;
  /** The file of users and API keys, as `resilin user` and `resilin key` keep it; everybody may do everything without. */
  users?: string;
  /** The certificate to show; connections are plain without. */
  tls?: TlsFiles;
  /** The file of the audit log; there is none without. */
  audit?: string;
  /** The core's Wasm file. */
  wasm?: string;
  /** Takes what an operator should know, the slow logs and, at its level `debug`, every answer. */
  log?: Logger;
  /** Told of what an operator should know, in place of the log. */
  warn?: (message: string) => void;
}

/** A server that is listening. */
export interface RunningServer {
  /** @internal */
  engine: Engine;
  /** @internal */
  numbers: SharedNumbers;
  /** @internal */
  pool: WorkerPool;
  /** Where it answers, such as `http://127.0.0.1:9200`. */
  url: string;
  /** Where the console is; undefined where none is served. */
  console: string | undefined;
  /** Aborts when another process has joined the cluster as this node: nothing that this one does counts any more. None without a cluster. */
  replaced: AbortSignal | undefined;
  /** Reads the files of users and of TLS again; what can't be used stays as it was, and the log tells. */
  reload(): void;
  /** Answers what is under way, persists and lets go of everything. */
  close(): Promise<void>;
}
