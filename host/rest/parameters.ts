/** What the parameters of a family of endpoints are. */
export interface Parameters {
  /** They change what is done or answered. */
  read: readonly string[];
  /** They are taken, and on one node there is nothing that they could change. */
  idle?: readonly string[];
}

/** Read by all endpoints. */
export const EVERYWHERE: readonly string[] = [
  'pretty',
  'human',
  'filter_path',
  'case',
  'format',
  'source',
  'error_trace',
];

const NAMES = ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards'];
const QUERY = [
  'q',
  'df',
  'analyzer',
  'default_operator',
  'lowercase_expanded_terms',
  'analyze_wildcard',
  'lenient',
];
const SOURCE = ['_source', '_source_include', '_source_exclude'];
const VERSION = ['version', 'version_type'];
const WRITE = ['routing', 'parent', 'timestamp', 'ttl', ...VERSION, 'refresh', 'timeout', 'consistency'];
const MASTER = ['master_timeout', 'timeout', 'local'];
const FIGURES = ['fields', 'fielddata_fields', 'completion_fields', 'groups', 'types'];

/** The parameters of the families, by the families' names; all of 1.7's interface stand in one of the two lists. */
export const PARAMETERS: Readonly<Record<string, Parameters>> = {
  Documents: {
    read: [...WRITE, 'op_type', 'fields', ...SOURCE, 'realtime'],
    idle: ['replication', 'preference', 'percolate'],
  },
  Update: {
    read: [...WRITE, 'fields', 'retry_on_conflict', 'lang', 'script', 'script_id'],
    idle: ['replication', 'scripted_upsert'],
  },
  'Multi-get': { read: ['fields', ...SOURCE, 'realtime', 'refresh', 'routing'], idle: ['preference'] },
  Bulk: { read: ['refresh', 'routing', 'consistency', 'timeout'], idle: ['replication'] },
  'Count and delete by query': {
    read: [...QUERY, 'routing', 'preference', 'terminate_after', ...NAMES],
    idle: ['min_score', 'consistency', 'replication', 'timeout'],
  },
  Explain: { read: [...QUERY, 'routing', 'fields', ...SOURCE, 'parent'], idle: ['preference'] },
  Search: {
    read: [
      ...QUERY,
      'from',
      'size',
      'sort',
      'fields',
      'fielddata_fields',
      ...SOURCE,
      'search_type',
      'scroll',
      'routing',
      'preference',
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
      ...NAMES,
    ],
    idle: ['query_cache', 'min_score'],
  },
  Suggest: { read: ['routing', 'preference', ...NAMES] },
  Percolate: {
    read: [
      'percolate_format',
      'percolate_index',
      'percolate_type',
      'percolate_routing',
      'percolate_preference',
      'routing',
      'preference',
      ...VERSION,
      ...NAMES,
    ],
  },
  'More like this': {
    read: [
      'mlt_fields',
      'minimum_should_match',
      'percent_terms_to_match',
      'min_term_freq',
      'max_query_terms',
      'stop_words',
      'min_doc_freq',
      'max_doc_freq',
      'min_word_length',
      'max_word_length',
      'boost_terms',
      'include',
      'routing',
      'search_type',
      'search_indices',
      'search_types',
      'search_scroll',
      'search_size',
      'search_from',
      'search_source',
    ],
    idle: ['search_query_hint'],
  },
  'Field statistics': { read: ['fields', 'level', ...NAMES] },
  'Term vectors': {
    read: [
      'fields',
      'offsets',
      'positions',
      'payloads',
      'term_statistics',
      'field_statistics',
      'dfs',
      'ids',
      'routing',
      'parent',
      'realtime',
      ...VERSION,
    ],
    idle: ['preference'],
  },
  Scroll: { read: ['scroll', 'scroll_id'] },
  Validate: { read: [...QUERY, 'explain', 'rewrite', ...NAMES], idle: ['operation_threading'] },
  'Search templates and stored scripts': {
    read: ['search_type', 'scroll', 'routing', 'preference', ...VERSION, 'op_type', ...NAMES],
  },
  'Search shards': { read: ['routing', 'preference', ...NAMES], idle: ['local'] },
  Analyze: {
    read: ['text', 'analyzer', 'tokenizer', 'filters', 'token_filters', 'char_filters', 'field'],
    idle: ['prefer_local'],
  },
  Indices: { read: ['flat_settings', ...NAMES], idle: MASTER },
  Settings: { read: ['flat_settings', ...NAMES], idle: MASTER },
  Mappings: { read: ['ignore_conflicts', 'include_defaults', ...NAMES], idle: MASTER },
  Aliases: { read: NAMES, idle: MASTER },
  'Index templates': { read: ['create', 'order', 'template', 'flat_settings'], idle: MASTER },
  Warmers: { read: NAMES, idle: MASTER },
  Maintenance: {
    read: [
      'max_num_segments',
      'flush',
      'filter',
      'filter_cache',
      'field_data',
      'fielddata',
      'fields',
      'id',
      'id_cache',
      ...NAMES,
    ],
    idle: [
      'only_expunge_deletes',
      'wait_for_merge',
      'force',
      'full',
      'wait_if_ongoing',
      'filter_keys',
      'query_cache',
      'recycler',
      'operation_threading',
      'wait_for_completion',
      'only_ancient_segments',
      'upgrade',
    ],
  },
  Statistics: {
    read: ['level', 'active_only', ...FIGURES, ...NAMES],
    idle: ['detailed', 'recovery', 'snapshot', 'operation_threading'],
  },
  'Root and health': {
    read: [
      'level',
      'wait_for_status',
      'wait_for_nodes',
      'wait_for_active_shards',
      'wait_for_relocating_shards',
      'wait_for_events',
      'timeout',
    ],
    idle: ['local', 'master_timeout'],
  },
  Cluster: { read: ['flat_settings', 'metric', 'explain', ...NAMES], idle: ['dry_run', ...MASTER] },
  Nodes: {
    read: ['level', 'type', ...FIGURES],
    idle: ['flat_settings', 'timeout', 'interval', 'snapshots', 'threads', 'ignore_idle_threads'],
  },
  Tables: {
    read: ['v', 'h', 'help', 'bytes', 'time', 'fields'],
    idle: ['ts', 'pri', 'full_id', 'local', 'master_timeout'],
  },
  Metrics: { read: [] },
  Snapshots: { read: ['wait_for_completion', 'verify'], idle: MASTER },
};
