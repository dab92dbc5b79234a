/** When documents are shown by themselves: after the interval that an index has when it is over. */
import { expect, it } from 'vitest';
import { createEngine } from '../../host/index.js';

/** More than a refresh of a document takes. */
const TURNS = 200;

it('refreshes after the interval, unless there is none any more by then', async () => {
  const due: { ms: number; run(): void }[] = [];
  const clock = {
    now: () => 0,
    after: (ms: number, run: () => void) => {
      const entry = { ms, run };
      due.push(entry);
      return () => void due.splice(due.indexOf(entry), 1);
    },
  };
  const engine = await createEngine({ clock });
  const set = (interval: string | number) =>
    engine.request('PUT', '/a/_settings', { 'index.refresh_interval': interval });
  const passed = async (ms: number) => {
    for (const each of due.filter((entry) => entry.ms === ms)) {
      due.splice(due.indexOf(each), 1);
      each.run();
    }
    let count = 0;
    // A refresh takes some turns.
    for (let i = 0; i < TURNS; i++) {
      await new Promise((resolve) => setImmediate(resolve));
      ({ count } = (await engine.request('GET', '/a/_count')).body as { count: number });
    }
    return count;
  };
  await engine.request('PUT', '/a', { settings: { refresh_interval: '7s' } });
  await engine.request('PUT', '/a/t/1', {});
  expect(await passed(7000)).toBe(1);
  await engine.request('PUT', '/a/t/2', {});
  await set(-1);
  expect(await passed(7000)).toBe(1);
  await set('9s');
  expect(await passed(9000)).toBe(2);
  await engine.close();
});
