import { describe, expect, it } from 'vitest';
import { EVERY_MS, CpuHeadroom, type ProcessorTimes } from '../../host/server/cpuHeadroom.js';

describe('the headroom of a process', () => {
  /** A machine of two processors on which the process and the others take these shares of one, asked again and again. */
  const asked = (own: number, others: number, times: number, each = EVERY_MS) => {
    const system: ProcessorTimes = { now: 0, busy: 5000, own: 1000 };
    let reads = 0;
    const headroom = new CpuHeadroom(() => {
      reads++;
      return { ...system };
    }, 2);
    const said: boolean[] = [];
    for (let i = 0; i < times; i++) {
      said.push(headroom.leaveRoom(system.now));
      system.now += each;
      system.busy += each * (own + others);
      system.own += each * own;
    }
    return { said, reads };
  };

  it('are not known at first, and leave room where a client is all there is', () => {
    expect(asked(1.2, 0.4, 3).said).toEqual([false, true, true]);
  });

  it('leave none where one of them keeps a processor busy', () => {
    expect(asked(0.6, 1.3, 3).said).toEqual([false, false, false]);
  });

  it('are looked at now and then only', () => {
    expect(asked(1.2, 0.4, 101, EVERY_MS / 10).reads).toBe(11);
  });

  it('are not known after a while in which nobody asked', () => {
    expect(asked(1.2, 0.4, 3, 6 * EVERY_MS).said).toEqual([false, false, false]);
  });
});
