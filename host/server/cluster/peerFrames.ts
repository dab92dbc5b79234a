/** What nodes send each other: one byte of kind, numbers of 32 bits, bytes. Whatever doesn't read as one of these is no frame. */
export type Frame =
  /** Asks. `bytes` is the first piece of a question of `total` bytes. */
  | { type: 'ask'; kind: string; total: number; bytes: Uint8Array }
  /** The piece of a question or an answer at that offset. */
  | { type: 'piece'; offset: number; bytes: Uint8Array }
  /** So many bytes have arrived: more may be sent. */
  | { type: 'taken'; bytes: number }
  /** The asker has given up. */
  | { type: 'cancel' }
  /** The answer is being worked on. */
  | { type: 'alive' }
  /** Answers. `bytes` is the first piece of an answer of `total` bytes. */
  | { type: 'answer'; total: number; bytes: Uint8Array }
  /** `isRejected`: nothing was done, since the node has too much to do. */
  | { type: 'failed'; reason: string; isRejected: boolean };

const TYPES = ['ask', 'piece', 'taken', 'cancel', 'alive', 'answer', 'failed'] as const;
/** Says which protocol this is; another one has another number. */
const VERSION = 1;
const HEAD = 6;
const LONGEST_REASON = 4096;
/** The number of a failure of a node that has too much to do; other failures have none. */
const REJECTED = 1;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The bytes of a frame. */
export function frameBytes(frame: Frame): Uint8Array {
  switch (frame.type) {
    case 'ask': {
      const kind = encoder.encode(frame.kind);
      const head = encoded(frame.type, frame.total, 1 + kind.length + frame.bytes.length);
      head[HEAD] = kind.length;
      head.set(kind, HEAD + 1);
      head.set(frame.bytes, HEAD + 1 + kind.length);
      return head;
    }
    case 'answer':
    case 'piece': {
      const head = encoded(
        frame.type,
        frame.type === 'piece' ? frame.offset : frame.total,
        frame.bytes.length,
      );
      head.set(frame.bytes, HEAD);
      return head;
    }
    case 'taken':
      return encoded(frame.type, frame.bytes, 0);
    case 'failed': {
      const reason = encoder.encode(frame.reason.slice(0, LONGEST_REASON));
      const head = encoded(frame.type, frame.isRejected ? REJECTED : 0, reason.length);
      head.set(reason, HEAD);
      return head;
    }
    default:
      return encoded(frame.type, 0, 0);
  }
}

/** Reads a frame; nothing when it is none. */
export function readFrame(bytes: Uint8Array): Frame | undefined {
  if (bytes.length < HEAD || bytes[1] !== VERSION) return undefined;
  const type = TYPES[bytes[0]!];
  const number = new DataView(bytes.buffer, bytes.byteOffset).getUint32(2, true);
  const rest = bytes.subarray(HEAD);
  switch (type) {
    case 'ask': {
      const length = rest[0];
      if (length === undefined || length === 0 || rest.length < 1 + length) return undefined;
      const kind = decoder.decode(rest.subarray(1, 1 + length));
      return { type, kind, total: number, bytes: rest.subarray(1 + length) };
    }
    case 'answer':
      return { type, total: number, bytes: rest };
    case 'piece':
      return { type, offset: number, bytes: rest };
    case 'taken':
      return { type, bytes: number };
    case 'failed':
      return {
        type,
        reason: decoder.decode(rest.subarray(0, LONGEST_REASON * 3)),
        isRejected: number === REJECTED,
      };
    case 'cancel':
    case 'alive':
      return { type };
    default:
      return undefined;
  }
}

function encoded(type: Frame['type'], number: number, more: number): Uint8Array {
  const bytes = new Uint8Array(HEAD + more);
  bytes[0] = TYPES.indexOf(type);
  bytes[1] = VERSION;
  new DataView(bytes.buffer).setUint32(2, number, true);
  return bytes;
}
