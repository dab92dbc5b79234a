import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ConnectionBalance } from '../../host/server/coordinators/connectionBalance.js';
import { SharedNumbers } from '../../host/server/coordinators/sharedNumbers.js';

describe('marks of what searches can still name', () => {
  it('are passed when every search that began before is over, also where they start over', () => {
    // Place 3 of the numbers is the newest mark.
    for (const first of [0, 0x7fffffff, -3]) {
      const leader = SharedNumbers.of(2);
      leader.numbers[3] = first;
      const [a, b] = [new SharedNumbers(leader.numbers), new SharedNumbers(leader.numbers)];
      for (let round = 0; round < 6; round++) {
        a.setOldest(1, a.now);
        const mark = leader.mark();
        expect(mark).not.toBe(0);
        // One that begins from now on doesn't count.
        b.setOldest(2, b.now);
        expect(leader.areOver(mark), `${first} ${round}`).toBe(false);
        a.setOldest(1, 0);
        expect(leader.areOver(mark), `${first} ${round}`).toBe(true);
        const next = leader.mark();
        expect(leader.areOver(next)).toBe(false);
        leader.clear(2);
        expect(leader.areOver(next)).toBe(true);
      }
    }
  });

  it('have a search tell that it is over only where rows wait for it, and once', () => {
    const leader = SharedNumbers.of(1);
    const follower = new SharedNumbers(leader.numbers);
    expect(leader.areOver(leader.mark())).toBe(true);
    expect(follower.takeWaits()).toBe(false);
    follower.setOldest(1, follower.now);
    expect(leader.areOver(leader.mark())).toBe(false);
    follower.setOldest(1, 0);
    expect(follower.takeWaits()).toBe(true);
    expect(follower.takeWaits()).toBe(false);
  });
});

describe('connections', () => {
  const socket = () => new EventEmitter() as Socket;

  it('are let go where a thread has more than its share, as many as that, each once', () => {
    const numbers = SharedNumbers.of(1);
    const [main, other] = [new ConnectionBalance(numbers, 0), new ConnectionBalance(numbers, 1)];
    const own = Array.from({ length: 44 }, socket);
    for (const each of own) main.add(each);
    for (let i = 0; i < 20; i++) other.add(socket());
    const gone = own.filter((each) => main.letsGo(each));
    // 5 % and one more than 32 are tolerated.
    expect(gone).toHaveLength(44 - 35);
    expect(gone.some((each) => main.letsGo(each))).toBe(false);
    for (const each of gone) {
      each.emit('close');
      other.add(socket());
    }
    expect([numbers.connectionsOf(0), numbers.connectionsOf(1)]).toEqual([35, 29]);
    expect(own.some((each) => !gone.includes(each) && main.letsGo(each))).toBe(false);
  });

  it('stay where they are few', () => {
    const numbers = SharedNumbers.of(1);
    const main = new ConnectionBalance(numbers, 0);
    const own = [socket(), socket()];
    for (const each of own) main.add(each);
    expect(own.some((each) => main.letsGo(each))).toBe(false);
  });
});
