/**
 * What an endpoint is: one descriptor, from which routing, access control, thread pools, docs/api.md and what the audit log tells
 * follow. A new endpoint is a descriptor in the file of its handler, and a line in `routes.ts` where its group is new.
 */
import type { Privilege } from '../security/grants.js';
import type { Engine } from '../engine/engine.js';
import type { PoolName } from '../limits/threadPools.js';
import type { RestResponse, RoutedRequest } from './request.js';

/** Methods that endpoints are told apart by; others count as GET. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/**
 * Answers a request. `engine` is what the caller may see and do: of every name that the caller has no grant for, it knows nothing.
 */
export type Handler = (engine: Engine, request: RoutedRequest) => Promise<RestResponse> | RestResponse;

/** One thing that can be asked for, whatever its paths. */
export interface Endpoint {
  readonly methods: readonly Method[];
  /** Such as `/{index}/_search`. Fixed parts win over variable ones, whatever the order. */
  readonly paths: readonly string[];
  readonly handler: Handler;
  /** What it takes of its callers. At run time, one without a privilege is refused to everybody with limits. */
  readonly privilege: Privilege;
  /** 1.7's name of what it does, such as `indices:data/read/search`: for refusals and the audit log. */
  readonly action: string;
  /** Where its requests take their turns. */
  readonly pool: PoolName;
  /** The query parameters that change what it does or answers, beside {@link COMMON_PARAMETERS}. */
  readonly parameters: readonly string[];
  /** Those of 1.7 that are taken, and on one node have nothing to change. */
  readonly ignored?: readonly string[];
  /**
   * It changes nothing, so that its time is bounded by `search.default_search_timeout`. Changes are carried out in slices, however long
   * they take.
   */
  readonly readOnly?: true;
  /** It reads documents and metadata alone, so that any engine that follows another one can answer it. */
  readonly onlyReads?: true;
  /** What it tells is counted by all engines that follow this one. */
  readonly counted?: true;
  /** It answers while shards are being recovered; the others wait for those of their indices. */
  readonly duringRecovery?: true;
  /** It takes {@link MASTER_TIMEOUTS}, which have to be durations. */
  readonly masterTimeout?: true;
  /** Its body is one value in JSON; long ones are parsed ahead of the handler, in slices. Other bodies are read by the handler. */
  readonly body?: 'json';
  /** The parts of its path that name indices or aliases: `index` and `indices`, if it doesn't say. For the audit log. */
  readonly indexParts?: readonly string[];
  /** Where its body names indices, for the audit log: in one value in JSON, in the headers among its lines, in those of a bulk. */
  readonly indicesInBody?: 'json' | 'headers' | 'bulk';
}

/** Endpoints that belong together: a section of docs/api.md. */
export interface EndpointGroup {
  readonly name: string;
  /** What they are for. */
  readonly purpose: string;
  /** How many programs need them: every one, most, some. */
  readonly tag: 'core' | 'common' | 'full';
  readonly endpoints: readonly Endpoint[];
}

/** Read by all endpoints. */
export const COMMON_PARAMETERS: readonly string[] = [
  'pretty',
  'human',
  'filter_path',
  'case',
  'format',
  'source',
  'error_trace',
];
/** How long changes of the cluster may take. */
export const MASTER_TIMEOUTS = ['timeout', 'master_timeout'] as const;

/** Parameters that several endpoints have. */
export const INDICES_OPTIONS = ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards'] as const;
export const QUERY_STRING = [
  'q',
  'df',
  'analyzer',
  'default_operator',
  'lowercase_expanded_terms',
  'analyze_wildcard',
  'lenient',
] as const;
export const SOURCE_FILTER = ['_source', '_source_include', '_source_exclude'] as const;
export const VERSION = ['version', 'version_type'] as const;
export const STATISTICS = ['fields', 'fielddata_fields', 'completion_fields', 'groups', 'types'] as const;
/** Of writes of one document. */
export const WRITE = [
  'routing',
  'parent',
  'timestamp',
  'ttl',
  ...VERSION,
  'refresh',
  'timeout',
  'consistency',
] as const;

/** Where is searched, and in which phases. */
export const SEARCH_PLACE = ['search_type', 'scroll', 'routing', 'preference', ...INDICES_OPTIONS] as const;
/** Of searches with a body; what a parameter says counts over what the body says. */
export const SEARCH = [
  ...QUERY_STRING,
  'from',
  'size',
  'sort',
  'fields',
  'fielddata_fields',
  ...SOURCE_FILTER,
  'version',
  'explain',
  'track_scores',
  'timeout',
  'terminate_after',
  'stats',
  'suggest_field',
  'suggest_text',
  'suggest_mode',
  'suggest_size',
  ...SEARCH_PLACE,
] as const;

/** The paths of an endpoint for all indices, and for some. */
export function ofIndices(path: string): string[] {
  return [path, `/{index}${path}`];
}

/** The paths of an endpoint for all indices, for some, and for types of them. */
export function ofTypes(path: string): string[] {
  return [path, `/{index}${path}`, `/{index}/{type}${path}`];
}
