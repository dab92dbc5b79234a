import { expect, it } from 'vitest';
import { History, Values, type Write } from './history.js';

const KEY = 'books/1';

/** A history with one document that was created as version 1. */
function begun(): { history: History; first: Write } {
  const history = new History();
  const first = history.ask(KEY, 'index');
  history.acknowledge(first, 1);
  return { history, first };
}

const problems = (history: History) => {
  history.checkOrder();
  return history.problems.join('\n');
};

it('finds nothing wrong with what may be', () => {
  const { history, first } = begun();
  history.read(KEY, 1, { version: 1, n: first.n }, 'a');
  const lost = history.ask(KEY, 'index');
  history.giveUp(lost);
  const refused = history.ask(KEY, 'create');
  history.refuse(refused);
  // Whether the one without an answer was carried out or not.
  history.settle(KEY, { version: 1, n: first.n }, 'a');
  history.settle(KEY, { version: 2, n: lost.n }, 'a');
  const removed = history.ask(KEY, 'delete');
  history.acknowledge(removed, 3);
  history.settle(KEY, undefined, 'a');
  expect(problems(history)).toBe('');
  expect([history.acknowledged, history.refused, history.unanswered]).toEqual([2, 1, 1]);
});

it('finds what is lost', () => {
  const { history } = begun();
  const second = history.ask(KEY, 'index');
  history.acknowledge(second, 2);
  history.settle(KEY, { version: 1, n: 1 }, 'a');
  expect(problems(history)).toContain('a has version 1 after 2 was acknowledged');
  const gone = begun().history;
  gone.settle(KEY, undefined, 'a');
  expect(problems(gone)).toContain('a has nothing, after version 1 was acknowledged');
});

it('finds what comes back after it was refused, and what is there under another version', () => {
  const { history } = begun();
  const refused = history.ask(KEY, 'index');
  history.refuse(refused);
  history.settle(KEY, { version: 2, n: refused.n }, 'a');
  expect(problems(history)).toContain('which was refused or never sent');
  const other = begun();
  const lost = other.history.ask(KEY, 'index');
  other.history.giveUp(lost);
  other.history.settle(KEY, { version: 1, n: lost.n }, 'a');
  expect(problems(other.history)).toContain('as version 1, which was acknowledged for 1');
});

it('finds versions that were given twice, and writes that were carried out twice', () => {
  const { history } = begun();
  const second = history.ask(KEY, 'index');
  history.acknowledge(second, 1);
  expect(problems(history)).toContain('version 1 was acknowledged for write 1 (index) too');
  const doubled = begun();
  doubled.history.settle(KEY, { version: 2, n: doubled.first.n }, 'a');
  expect(problems(doubled.history)).toMatch(/as version 2, not 1[\s\S]*some were carried out twice/);
});

it('finds conditions that did not hold', () => {
  const { history } = begun();
  history.acknowledge(history.ask(KEY, 'index', 7), 2);
  history.acknowledge(history.ask(KEY, 'create'), 3);
  history.acknowledge(history.ask(KEY, 'delete'), 4);
  history.acknowledge(history.ask(KEY, 'update'), 5);
  expect(problems(history).split('\n')).toEqual([
    expect.stringContaining('was told to find version 7, and became 2'),
    expect.stringContaining('created version 3 over write 2 (index)'),
    expect.stringContaining("updated version 4, which isn't there"),
  ]);
});

it('finds versions in another order than that of the writes', () => {
  const history = new History();
  history.acknowledge(history.ask(KEY, 'index'), 2);
  history.acknowledge(history.ask(KEY, 'index'), 1);
  expect(problems(history)).toContain('got version 1, though it was sent after 1 had been acknowledged as 2');
});

it('knows which values metadata may have', () => {
  const values = new Values('alias', 'a');
  values.ask('b');
  expect([values.problem('a'), values.problem('b')]).toEqual([undefined, undefined]);
  values.acknowledge('b');
  expect(values.problem('a')).toBe('alias is a, and must be b');
});
