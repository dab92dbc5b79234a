/** Polling: as long as somebody sees the page, never two at a time, and not after its end. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whileVisible } from '../../../console/src/app/whileVisible.js';

const page = Object.assign(new EventTarget(), { hidden: false });
const seen = (isSeen: boolean) => {
  page.hidden = !isSeen;
  page.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  page.hidden = false;
});

it('goes on while the page is seen, and begins again at once when it is seen again', async () => {
  let count = 0;
  const end = whileVisible(1000, async () => {
    count++;
  });
  await vi.advanceTimersByTimeAsync(2500);
  expect(count).toBe(3);
  seen(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(count).toBe(3);
  seen(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(count).toBe(4);
  end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(count).toBe(4);
});

it('waits for what is under way, however often the page is looked at', async () => {
  let count = 0;
  let answer = () => {};
  const end = whileVisible(1000, () => {
    count++;
    return new Promise((done) => {
      answer = done;
    });
  });
  seen(false);
  seen(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(count).toBe(1);
  answer();
  await vi.advanceTimersByTimeAsync(1000);
  expect(count).toBe(2);
  answer();
  end();
});
