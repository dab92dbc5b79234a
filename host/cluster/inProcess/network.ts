/** Where messages go besides to nodes: a log, or the list of members. Nodes are named by their ids. */
export const logEndpoint = (log: string): string => `log/${log}`;
export const MEMBERS_ENDPOINT = 'members';

/** How messages travel; what a simulation replaces to delay, lose and double them. */
export interface Network {
  /**
   * Milliseconds until each copy of a message arrives: none when it is lost, several when it is doubled. Asked once for each message, in an
   * order that is the same in each run.
   */
  deliveries(from: string, to: string): readonly number[];
}

const AT_ONCE = [0] as const;

/** Every message arrives once, and at once. */
export const directNetwork: Network = { deliveries: () => AT_ONCE };
