/**
 * Answers a question of another node. The signal aborts when the asker gives up, and when these services are closed. What it throws
 * reaches the asker as the text of a {@link PeerFailed}; errors that the asker must tell apart are for the answer's bytes.
 */
export type PeerHandler = (kind: string, bytes: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;

/** Questions that a node answers at once; more are rejected. */
export const MOST_OPEN_QUESTIONS = 1024;

/** What a node says that has as many. */
export const QUESTIONS_FULL = `rejected execution (queue capacity ${MOST_OPEN_QUESTIONS}) on [questions]`;

/** Bytes that a question of a kind may have; a longer one is refused before it is taken in. */
export type QuestionLimit = (kind: string) => number;

/** Questions from node to node. A question is carried out at most once; the answer may get lost. */
export interface Peers {
  /**
   * Answers questions from now on. Once for each services.
   * @param limit as long as messages may be, without
   */
  serve(handler: PeerHandler, limit?: QuestionLimit): Promise<void>;
  /**
   * Asks a node, which may be this one, by its id. Question and answer may have up to 64 MB each, and are sent in chunks as fast as the
   * other side takes them. A node that is working on the answer is waited for as long as it shows life.
   * @throws PeerUnreachable within seconds when the node isn't there; PeerRejected when it has too much to do; PeerFailed; MessageTooLarge; the
   * signal's reason
   */
  ask(node: string, kind: string, bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}
