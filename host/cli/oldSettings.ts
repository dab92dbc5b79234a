/** Settings of an `elasticsearch.yml` that mean nothing here, by how they begin, with what to say of each. */

const ONE_NODE = 'there is one node';
const WHILE_IT_RUNS = 'what there is of it is changed with PUT /_cluster/settings';

const REASONS: readonly (readonly [beginning: string, reason: string])[] = [
  ['bootstrap.', 'no memory is locked, and nothing is checked before the start'],
  ['index.', 'it is a setting of indices: give it to each, or to all by a template'],
  ['indices.', WHILE_IT_RUNS],
  ['threadpool.', WHILE_IT_RUNS],
  ['search.', WHILE_IT_RUNS],
  ['action.', WHILE_IT_RUNS],
  ['cluster.routing.', ONE_NODE],
  ['cluster.', WHILE_IT_RUNS],
  ['discovery.', ONE_NODE],
  ['gateway.', ONE_NODE],
  ['transport.', ONE_NODE],
  ['node.', ONE_NODE],
  ['tribe.', ONE_NODE],
  ['script.disable_dynamic', 'say script.inline: on and script.indexed: on where scripts in Groovy may run'],
  [
    'script.',
    'Lucene expressions always run, Groovy by script.inline, script.indexed and path.scripts, nothing else does',
  ],
  ['path.', 'no such folder is needed'],
  ['plugin.', 'there are no plugins'],
  ['shield.', 'users are kept with resilin user'],
];

/** Why a setting means nothing here; undefined where only its name says nothing. */
export function reasonOf(name: string): string | undefined {
  return REASONS.find(([beginning]) => name.startsWith(beginning))?.[1];
}
