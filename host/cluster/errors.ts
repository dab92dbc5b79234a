/** Errors of logs, members and peers. Each is a class of its own, so that callers decide by `instanceof`, never by text. */

/** What all errors of this folder have in common. */
export class ClusterError extends Error {
  override readonly name: string = 'ClusterError';
}

/** There is no log of that name, or there is none any more. */
export class LogMissing extends ClusterError {
  override readonly name = 'LogMissing';
  readonly log: string;

  constructor(log: string) {
    super(`there is no log [${log}]`);
    this.log = log;
  }
}

/** What a reader wants next has been trimmed: its copy has to be fetched from another node. */
export class LogTrimmed extends ClusterError {
  override readonly name = 'LogTrimmed';
  readonly log: string;
  /** The position that the reader has. */
  readonly after: number;
  /** The first position that there is. */
  readonly first: number;

  constructor(log: string, after: number, first: number) {
    super(`the log [${log}] begins at ${first}: what comes after ${after} has been trimmed`);
    this.log = log;
    this.after = after;
    this.first = first;
  }
}

/** The log ends before a position that was read from it: it has lost messages that were acknowledged. */
export class LogShortened extends ClusterError {
  override readonly name = 'LogShortened';
  readonly log: string;
  /** A position that was read before. */
  readonly position: number;
  /** The last position that there is. */
  readonly last: number;

  constructor(log: string, position: number, last: number) {
    super(`the log [${log}] has lost messages: it ends at ${last}, and ${position} was read from it before`);
    this.log = log;
    this.position = position;
    this.last = last;
  }
}

/** The log has another message at a position than was read there before: it has lost some, and new ones took their place. */
export class LogDiffers extends ClusterError {
  override readonly name = 'LogDiffers';
  readonly log: string;
  readonly position: number;

  constructor(log: string, position: number) {
    super(`the log [${log}] has lost messages: at ${position} there is another one than was read before`);
    this.log = log;
    this.position = position;
  }
}

/**
 * The log didn't answer in time. A message that was being appended may be in it or not: appending it again with the same id, within
 * the time for which ids are remembered, is safe.
 */
export class LogUnavailable extends ClusterError {
  override readonly name = 'LogUnavailable';
  readonly log: string;

  constructor(log: string, reason: string) {
    super(`the log [${log}] is not available: ${reason}`);
    this.log = log;
  }
}

/** Nothing was appended, because the subject's last message is at another position than the caller expected. */
export class UnexpectedLast extends ClusterError {
  override readonly name = 'UnexpectedLast';
  readonly log: string;
  readonly subject: string;
  readonly expected: number;

  constructor(log: string, subject: string, expected: number) {
    super(`[${subject}] of the log [${log}] has another last message than the one at ${expected}`);
    this.log = log;
    this.subject = subject;
    this.expected = expected;
  }
}

/** Bytes of a message, a question or an answer, at most. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** A message or an answer has more bytes than may be sent. */
export class MessageTooLarge extends ClusterError {
  override readonly name = 'MessageTooLarge';
  readonly bytes: number;
  readonly limit: number;

  constructor(bytes: number, limit: number) {
    super(`a message of ${bytes} bytes is longer than the ${limit} bytes that may be sent`);
    this.bytes = bytes;
    this.limit = limit;
  }
}

/** A name of a log, a subject, a node or a question that isn't one. */
export class InvalidName extends ClusterError {
  override readonly name = 'InvalidName';
  readonly invalid: string;

  constructor(what: string, invalid: string) {
    super(
      `[${invalid.slice(0, 200)}] is no name of a ${what}: letters, digits, _ and - are allowed, at most 128 of them`,
    );
    this.invalid = invalid;
  }
}

/** What a node says of itself isn't what a member is. */
export class InvalidMember extends ClusterError {
  override readonly name = 'InvalidMember';

  constructor(reason: string) {
    super(`this is no member of a cluster: ${reason}`);
  }
}

/** A node can't be asked: it isn't there, it stopped while it was working, or no message reaches it. */
export class PeerUnreachable extends ClusterError {
  override readonly name = 'PeerUnreachable';
  readonly node: string;
  /** Whether it may be there, and merely was silent. */
  readonly isSilent: boolean;

  constructor(node: string, reason: string, isSilent = false) {
    super(`the node [${node}] can't be reached: ${reason}`);
    this.node = node;
    this.isSilent = isSilent;
  }
}

/** A node was asked, and failed. */
export class PeerFailed extends ClusterError {
  override readonly name: string = 'PeerFailed';
  readonly node: string;

  constructor(node: string, reason: string) {
    super(`the node [${node}] failed: ${reason}`);
    this.node = node;
  }
}

/** A node takes no more questions for now: it has done nothing. */
export class PeerRejected extends PeerFailed {
  override readonly name = 'PeerRejected';
  /** What the node says. */
  readonly reason: string;

  constructor(node: string, reason: string) {
    super(node, reason);
    this.reason = reason;
  }
}

/** Another process has joined with the id of this node, as a copied data folder makes it. */
export class NodeReplaced extends ClusterError {
  override readonly name = 'NodeReplaced';
  readonly node: string;

  constructor(node: string) {
    super(`another process has joined the cluster as the node [${node}]: two nodes can't share an id`);
    this.node = node;
  }
}

/** These services were closed. */
export class ServicesClosed extends ClusterError {
  override readonly name = 'ServicesClosed';

  constructor() {
    super('the services of the cluster were closed');
  }
}
