import { InvalidMember } from './errors.js';
import { checkedName } from './names.js';

/** A node, as it describes itself to the others. */
export interface Member {
  /** The node's id, kept in its data folder. */
  readonly node: string;
  /** The id of this process: another one after each start. */
  readonly incarnation: string;
  /** JSON that the node says of itself: address, roles, version, copies. At most 512 KB; whoever reads it checks its shape. */
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Who is alive. It lags behind, and may differ among nodes for a while: good for placement and routing, never for correctness. A node that
 * stops without leaving is gone after the time to live (10 s unless the services were told another).
 */
export interface Members {
  /** Resolves when the list holds all who live now; a node need not join for that. */
  watch(): Promise<void>;
  /** Makes this node known, and keeps it so until it leaves. Resolves when the list holds all who had joined before. */
  join(self: Member): Promise<void>;
  /**
   * Replaces what this node says of itself. Resolves when that, or something newer, is stored; many updates in a row become few.
   */
  update(self: Member): Promise<void>;
  /** All living members, this one too after `join`, sorted by node. */
  list(): readonly Member[];
  /** Calls back after each change of the list; the returned function ends that. */
  onChange(listener: () => void): () => void;
  /** Aborts, with a {@link NodeReplaced} as the reason, when another process joined as this node: the newer one stays. */
  readonly replaced: AbortSignal;
  /** Takes this node out of the list at once. */
  leave(): Promise<void>;
}

/** Characters of a member's details as JSON. */
const MAX_DETAILS = 512 * 1024;

/**
 * The member, if a value is one.
 * @throws InvalidMember, InvalidName
 */
export function checkedMember(value: unknown): Member {
  if (!isObject(value)) throw new InvalidMember('it is no object');
  const { node, incarnation, details } = value;
  if (typeof node !== 'string' || typeof incarnation !== 'string')
    throw new InvalidMember('it has no node or no incarnation');
  if (!isObject(details)) throw new InvalidMember('its details are no object');
  checkedName('node', node);
  checkedName('node', incarnation);
  if (JSON.stringify(details).length > MAX_DETAILS)
    throw new InvalidMember(`its details have more than ${MAX_DETAILS} characters`);
  return { node, incarnation, details };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
