/** Logs of which a node reads other messages than those that are there, or not all, as of a NATS server that has others than the rest. */
import type { Log, LogMessage } from '../../../host/cluster/log.js';
import type { ClusterServices } from '../../../host/cluster/services.js';

/** What a node reads in the place of a message of a log; undefined where it is passed over. */
export type ReadInstead = (message: LogMessage, log: string) => LogMessage | undefined;

/** The services of a node which reads such. */
export function readingOthers(services: ClusterServices, instead: ReadInstead): ClusterServices {
  const { logs, members, peers, clock } = services;
  return {
    ...{ members, peers, clock },
    logs: {
      open: async (name, options) => readingOthersOf(await logs.open(name, options), instead),
      list: () => logs.list(),
    },
    close: () => services.close(),
  };
}

function readingOthersOf(log: Log, instead: ReadInstead): Log {
  return {
    name: log.name,
    get trouble() {
      return log.trouble;
    },
    append: (...args) => log.append(...args),
    async *read(...args) {
      for await (const message of log.read(...args)) {
        const read = instead(message, log.name);
        if (read !== undefined) yield read;
      }
    },
    lastPosition: (subject) => log.lastPosition(subject),
    firstPosition: () => log.firstPosition(),
    extent: () => log.extent(),
    trim: (before) => log.trim(before),
    delete: () => log.delete(),
  };
}

/** A message whose documents have other numbers, and which comes to the same: undefined where it has none. */
export function withOtherNumbers(message: LogMessage): LogMessage | undefined {
  const bytes = message.bytes.slice();
  let isOther = false;
  for (let at = sourcesOf(bytes); at < bytes.length; at++) {
    if (bytes[at]! < ZERO || bytes[at]! > NINE) continue;
    bytes[at] = bytes[at] === NINE ? NINE - 1 : bytes[at]! + 1;
    isOther = true;
  }
  return isOther ? { ...message, bytes, checksum: (message.checksum ^ 1) >>> 0 } : undefined;
}

const ZERO = 0x30;
const NINE = 0x39;

/** Where the sources of a command on documents begin. */
function sourcesOf(bytes: Uint8Array): number {
  return bytes.length < 4 ? bytes.length : 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
}
