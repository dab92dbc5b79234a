/** Gives others a turn: calls back after what is waiting in the event loop. */
export type Turn = (callback: () => void) => void;

/** The next turn of the event loop, by whatever means the platform has. */
export function defaultTurn(): Turn {
  const immediate = (globalThis as { setImmediate?: (callback: () => void) => unknown }).setImmediate;
  if (immediate !== undefined) return (callback) => void immediate(callback);
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  return (callback) => {
    waiting.push(callback);
    channel.port2.postMessage(0);
  };
}

/** Thrown where a turn ends within work that begins anew in the next one (passes.ts). Nobody but that work's caller may catch it. */
export class TurnOver extends Error {}
