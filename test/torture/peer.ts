/** Whatever answers requests until it dies. */
export interface Peer {
  /** A body that is no string is sent as JSON. Throws {@link Unanswered} if no whole answer comes. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** An answer; the body is JSON if it can be. */
export interface Answer {
  status: number;
  body: unknown;
}

/** The peer is gone, or went before it answered. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}
