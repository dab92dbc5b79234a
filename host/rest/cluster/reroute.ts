/** Commands that move shards between nodes, as requests have them; one node alone says of each what 1.7 would. */
import { illegalArgument, parseFailure } from '../../errors.js';
import type { Engine } from '../../engine/engine.js';
import { wildcard } from '../../text/wildcard.js';
import { isCompound, isObject } from '../../json/values.js';
import { javaParse, parseBody } from '../body.js';
import type { Explanation, RerouteCommand } from '../../replication/reroute/execution.js';
import type { KnownNode } from '../../replication/reroute/resolveNode.js';
import { attributesOf, masterOf, nodesOf } from './elsewhere.js';
import { NO_PLATFORM, type NodeNames, otherAddress, transportAddress } from './node.js';
import type { RoutedRequest } from '../request.js';

type Kind = 'move' | 'cancel' | 'allocate';

/** What a command may name besides an index and a shard, and how 1.7 calls that when it is missing. */
const NODES: Record<Kind, readonly (readonly [field: string, called: string])[]> = {
  move: [
    ['from_node', 'from'],
    ['to_node', 'to'],
  ],
  cancel: [['node', 'node']],
  allocate: [['node', 'node']],
};

/** What is said of a command. */
interface Decision {
  decider: string;
  decision: 'YES' | 'NO';
  explanation: string;
  /** The error for a request that wants no explanations, without the command's name. */
  refusal?: string;
}

/** Commands that a request may have. */
const MOST_COMMANDS = 1000;

/** What becomes of commands on one node; without `explain`, one that can't be carried out is an error. They can change nothing: a shard has no other place. */
export function explainCommands(
  engine: Engine,
  names: NodeNames,
  commands: readonly RerouteCommand[],
  explain: boolean,
): Explanation[] {
  return commands.map((command) => {
    const { decider, decision, explanation, refusal } = decide(engine, names, command);
    if (refusal !== undefined && !explain) throw illegalArgument(refusal);
    const { kind, parameters } = command;
    return { command: kind, parameters, decisions: [{ decider, decision, explanation }] };
  });
}

/** The commands of a request; throws where its body is none of commands. */
export function readCommands(request: RoutedRequest): RerouteCommand[] {
  const body = parseBody(request, javaParse) ?? {};
  for (const [name, value] of Object.entries(body)) {
    if (name === 'commands' && Array.isArray(value)) continue;
    throw parseFailure(`failed to parse reroute request, got value with wrong field name [${name}]`);
  }
  const commands = Array.isArray(body.commands) ? body.commands : [];
  if (commands.length > MOST_COMMANDS)
    throw illegalArgument(`more than ${MOST_COMMANDS} commands are not offered`);
  return commands.flatMap((command) =>
    Object.entries(isObject(command) ? command : {}).map(([name, options]) => readCommand(name, options)),
  );
}

function readCommand(name: string, given: unknown): RerouteCommand {
  if (!Object.hasOwn(NODES, name))
    throw illegalArgument(`No allocation command factory registered for name [${name}]`);
  const kind = name as Kind;
  const options: Record<string, unknown> = isObject(given) ? { ...given } : {};
  if (options.allowPrimary !== undefined) options.allow_primary = options.allowPrimary;
  const fields = [...NODES[kind].map(([field]) => field), 'index', 'shard'];
  if (kind !== 'move') fields.push('allow_primary', 'allowPrimary');
  for (const [field, value] of Object.entries(options)) {
    if (isCompound(value)) {
      const token = Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT';
      throw parseFailure(`[${kind}] command does not support complex json tokens [${token}]`);
    }
    if (!fields.includes(field)) throw parseFailure(`[${kind}] command does not support field [${field}]`);
  }
  const need = (field: string, called: string) => {
    const value = options[field];
    if (value === undefined || value === null)
      throw parseFailure(`[${kind}] command missing the ${called} parameter`);
    return String(value);
  };
  const parameters: RerouteCommand['parameters'] = {
    index: need('index', 'index'),
    shard: Number.parseInt(need('shard', 'shard'), 10) || 0,
  };
  for (const [field, called] of NODES[kind]) parameters[field] = need(field, called);
  if (kind !== 'move') parameters.allow_primary = String(options.allow_primary ?? false) === 'true';
  return { kind, parameters };
}

function decide(engine: Engine, names: NodeNames, { kind, parameters }: RerouteCommand): Decision {
  const { platform = NO_PLATFORM } = names;
  const own = [engine.nodeId, names.node, platform.ip, platform.host];
  for (const [field] of NODES[kind]) {
    const asked = String(parameters[field]);
    if (!['_local', '_master', '_all'].includes(asked) && !own.some(wildcard(asked)))
      throw illegalArgument(`failed to resolve [${asked} ], no matching nodes`);
  }
  const index = engine.cluster.find(parameters.index);
  const primary = index?.shards[parameters.shard] !== undefined;
  const replica = primary && index!.metadata.settings.replicas > 0;
  const shard = `[${parameters.index}][${parameters.shard}]`;
  const node = `[${names.node}][${engine.nodeId}][${platform.host}][${transportAddress(names)}]`;
  const no = (decider: string, explanation: string, refusal: string): Decision => ({
    decider,
    decision: 'NO',
    explanation,
    refusal,
  });
  const sameShard = `shard cannot be allocated on same node [${engine.nodeId}] it already exists on`;
  switch (kind) {
    case 'cancel': {
      const decider = 'cancel_allocation_command';
      if (!primary) {
        const why = `can't cancel ${shard}, failed to find it on node ${node}`;
        return no(decider, why, `[cancel_allocation] ${why}`);
      }
      if (parameters.allow_primary !== true) {
        const why = `can't cancel ${shard} on node ${node}, shard is primary and started`;
        return no(decider, why, `[cancel_allocation] ${why}`);
      }
      return { decider, decision: 'YES', explanation: `shard ${shard} on node ${node} can be cancelled` };
    }
    case 'move':
      if (primary)
        return no(
          'same_shard',
          sameShard,
          `[move_allocation] can't move ${shard}, from ${node}, to ${node}, since its not allowed, reason: [NO(${sameShard})]`,
        );
      return no(
        'move_allocation_command',
        `shard ${shard} not found`,
        `[move_allocation] can't move ${shard}, failed to find it on node ${node}`,
      );
    case 'allocate':
      if (replica)
        return no(
          'same_shard',
          sameShard,
          `[allocate] allocation of ${shard} on node ${node} is not allowed, reason: [NO(${sameShard})]`,
        );
      return no(
        'allocate_allocation_command',
        `failed to find ${shard} on the list of unassigned shards`,
        `[allocate] failed to find ${shard} on the list of unassigned shards`,
      );
  }
}

/** The nodes of a cluster as commands may name them. */
export function knownNodes(engine: Engine, names: NodeNames): KnownNode[] {
  const { platform = NO_PLATFORM } = names;
  return nodesOf(engine, names).map(({ id, name, http, data, attributes = {} }) => {
    const isLocal = id === engine.nodeId;
    const host = isLocal ? platform.host : http.replace(/:\d+$/, '');
    const shown = attributesOf({ data, attributes });
    const list = Object.entries(shown).map(([key, value]) => `${key}=${value}`);
    const address = isLocal ? transportAddress(names) : otherAddress(http);
    return {
      ...{ id, name, http, data, attributes, shown, isLocal },
      isMaster: id === masterOf(engine),
      addresses: [host, ...(isLocal ? [platform.ip] : [])].filter((each) => each !== ''),
      text: `[${name}][${id}][${host}][${address}]${list.length === 0 ? '' : `{${list.join(', ')}}`}`,
    };
  });
}
