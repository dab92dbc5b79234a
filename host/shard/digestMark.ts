/** The hash of what a copy has read and made of its log, after so many messages, the last of them at that position. See `LogDigest`. */
export interface DigestMark {
  messages: number;
  position: number;
  hash: number;
}

/** A hash after so many messages: what copies are compared by. */
export type Digest = Pick<DigestMark, 'messages' | 'hash'>;
