/** The node that a command names, as 1.7 finds it: by its id, its name or its address, by patterns, by what it is. */
import { illegalArgument } from '../../errors.js';
import { isFalse } from '../../numbers/javaBooleans.js';
import { wildcard } from '../../text/wildcard.js';
import type { AllocatedNode } from '../allocation.js';

/** A node that commands may name. */
export interface KnownNode extends AllocatedNode {
  /** Whether it may have copies of shards. */
  data: boolean;
  isLocal: boolean;
  isMaster: boolean;
  /** Its hosts, as names and numbers. */
  addresses: readonly string[];
  /** Its attributes as they are shown. */
  shown: Readonly<Record<string, string>>;
  /** As 1.7 writes it into messages. */
  text: string;
}

/** The one node that is meant; 400 where there is none, or several. */
export function resolveNode(nodes: readonly KnownNode[], text: string): KnownNode {
  const found = matching(nodes, text);
  const [only] = found;
  if (only === undefined) throw illegalArgument(`failed to resolve [${text} ], no matching nodes`);
  if (found.length > 1)
    throw illegalArgument(
      `resolved [${text}] into [${found.length}] nodes, where expected to be resolved to a single node`,
    );
  return only;
}

function matching(nodes: readonly KnownNode[], text: string): readonly KnownNode[] {
  if (text === '_local') return nodes.filter(({ isLocal }) => isLocal);
  if (text === '_master') return nodes.filter(({ isMaster }) => isMaster);
  if (text === '_all') return nodes;
  const byId = nodes.filter(({ id }) => id === text);
  if (byId.length > 0) return byId;
  const [, name, value = ''] = /^([^:]*):(.*)$/.exec(text) ?? [];
  if (name === 'data' || name === 'master') return isFalse(value) ? [] : nodes.filter(({ data }) => data);
  const isMeant = wildcard(text);
  const isNamed = wildcard(name ?? '');
  const isValue = wildcard(value);
  return nodes.filter(
    (node) =>
      [node.name, ...node.addresses].some(isMeant) ||
      (name !== undefined && Object.entries(node.shown).some(([key, each]) => isNamed(key) && isValue(each))),
  );
}
