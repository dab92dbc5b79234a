import { expect, it } from 'vitest';
import { Random } from '../random.js';
import type { Change } from './changeLog.js';
import { type Choice, crashState, digestOf, type Tree } from './crashState.js';
import { Disk, DiskFolder } from './diskModel.js';
import { Promises } from './promises.js';

const ROOT = 1;
const create = (inode: number, path: string): Change => ({ kind: 'create', inode, path });
const write = (inode: number, at: number, text: string): Change => ({
  kind: 'write',
  inode,
  at,
  bytes: Buffer.from(text),
});
const rename = (inode: number, from: string, to: string): Change => ({ kind: 'rename', inode, from, to });
const sync = (inode: number): Change => ({ kind: 'sync', inode });

function diskAfter(...changes: Change[]): Disk {
  const disk = new Disk('', new DiskFolder(ROOT));
  for (const change of changes) disk.apply(change);
  return disk;
}

/** All states that chance finds, as texts. */
function statesOf(disk: Disk): string[] {
  const found = new Map<string, string>();
  for (let seed = 0; seed < 400; seed++) {
    const kinds = ['none', 'all', 'some'] as const;
    const choice: Choice = {
      names: kinds[seed % 3]!,
      bytes: kinds[Math.floor(seed / 3) % 3]!,
      block: 512,
      random: new Random(seed),
    };
    const state = crashState(disk, choice);
    found.set(digestOf(state), shown(state));
  }
  return [...found.values()].sort();
}

function shown(tree: Tree): string {
  return Object.entries(tree)
    .map(([name, content]) =>
      Buffer.isBuffer(content)
        ? `${name}=${content.toString().replace(/(.)\1{99,}/g, (run) => `${run[0]}*${run.length}`)}`
        : `${name}(${shown(content)})`,
    )
    .sort()
    .join(' ');
}

it('a file that was renamed before it was synced may be there without its bytes', () => {
  const changes = [create(2, '/a'), write(2, 0, 'new'), rename(2, '/a', '/b')];
  expect(statesOf(diskAfter(...changes))).toContain('b=');
  expect(statesOf(diskAfter(changes[0]!, changes[1]!, sync(2), changes[2]!))).toEqual(['', 'a=new', 'b=new']);
});

it('a sync of a file is none of its name, nor of that of its folder', () => {
  const changes: Change[] = [
    { kind: 'mkdir', inode: 2, path: '/f' },
    create(3, '/f/a'),
    write(3, 0, 'x'),
    sync(3),
  ];
  expect(statesOf(diskAfter(...changes))).toEqual(['', 'f()', 'f(a=x)']);
  expect(statesOf(diskAfter(...changes, sync(2)))).toEqual(['', 'f(a=x)']);
  expect(statesOf(diskAfter(...changes, sync(2), sync(ROOT)))).toEqual(['f(a=x)']);
});

it('names come and go in their order, and between folders at once', () => {
  const before: Change[] = [{ kind: 'mkdir', inode: 2, path: '/f' }, sync(ROOT), create(3, '/f/a'), sync(2)];
  const moved = diskAfter(...before, create(4, '/first'), rename(3, '/f/a', '/a'));
  expect(statesOf(moved)).toEqual(['a= f() first=', 'f(a=)', 'f(a=) first=']);
  // The other folder's names are durable with it.
  expect(statesOf(diskAfter(...before, create(4, '/first'), rename(3, '/f/a', '/a'), sync(2)))).toEqual([
    'a= f() first=',
  ]);
});

it('of bytes that were not synced any sectors are there, of each any that was written', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(512)) as [string, string, string];
  const changes = [
    create(2, '/x'),
    write(2, 0, a + a),
    sync(2),
    sync(ROOT),
    write(2, 0, b + b),
    write(2, 0, c),
  ];
  const sectors = (first: string, second: string) =>
    first === second ? `x=${first}*1024` : `x=${first}*512${second}*512`;
  expect(statesOf(diskAfter(...changes))).toEqual(
    [
      sectors('a', 'a'),
      sectors('a', 'b'),
      sectors('b', 'a'),
      sectors('b', 'b'),
      sectors('c', 'a'),
      sectors('c', 'b'),
    ].sort(),
  );
});

it('a length may be there without what was written, and what a cut has taken stays away', () => {
  const kept = statesOf(diskAfter(create(2, '/x'), sync(ROOT), write(2, 0, 'x'.repeat(1024))));
  expect(kept).toContain('x=');
  expect(kept).toContain('x=\0*1024');
  expect(kept).toContain(`x=${'x'}*512\0*512`);
  const cut = [create(2, '/x'), sync(ROOT), write(2, 0, 'x'.repeat(1024)), sync(2)];
  expect(statesOf(diskAfter(...cut, { kind: 'truncate', inode: 2, length: 512 }))).toEqual([
    'x=x*1024',
    'x=x*512',
  ]);
});

it('a write that syncs itself is there, and nothing else', () => {
  const changes: Change[] = [create(2, '/x'), sync(ROOT), write(2, 0, 'a'.repeat(1024)), sync(2)];
  const disk = diskAfter(...changes, write(2, 512, 'b'.repeat(512)), write(2, 0, 'c'.repeat(512)), {
    kind: 'syncRange',
    inode: 2,
    at: 0,
    length: 512,
  });
  expect(statesOf(disk)).toEqual(['x=c*512a*512', 'x=c*512b*512']);
});

it('late writes may be lost, but none without those behind it', () => {
  const lines = ['done row/1 a', 'try row/1 b', 'late row/1 b', 'try row/2 c', 'late row/2 c'];
  const found = (...rows: [string, string][]) => new Map(rows.map(([name, value]) => [name, { value }]));
  const promises = new Promises(lines);
  expect(promises.problems('row/', found(['row/1', 'a']))).toEqual([]);
  expect(promises.problems('row/', found(['row/1', 'b']))).toEqual([]);
  expect(promises.problems('row/', found(['row/1', 'b'], ['row/2', 'c']))).toEqual([]);
  expect(promises.problems('row/', found(['row/1', 'a'], ['row/2', 'c']))).toHaveLength(1);
  const durable = new Promises([...lines, 'done row/3 d']);
  expect(durable.problems('row/', found(['row/1', 'b'], ['row/2', 'c'], ['row/3', 'd']))).toEqual([]);
  expect(durable.problems('row/', found(['row/1', 'b'], ['row/3', 'd']))).toHaveLength(1);
});

it('an acknowledged version is that version, a later one a later write’s', () => {
  const promises = new Promises(['try doc/a 1', 'done doc/a 1 4', 'try doc/a 2']);
  const problems = (value: string, version: number) =>
    promises.problems('doc/', new Map([['doc/a', { value, version }]]));
  expect(problems('1', 4)).toEqual([]);
  expect(problems('2', 5)).toEqual([]);
  expect(problems('1', 5)).toHaveLength(1);
  expect(problems('2', 4)).toHaveLength(1);
});
