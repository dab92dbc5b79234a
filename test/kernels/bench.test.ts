import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseBench } from '../../host/cli/benchOptions.js';
import { clockStep } from '../../host/kernels/clock.js';
import { contains, type Measured, measure } from '../../host/kernels/measure.js';
import { caseLine, digits, scaled, titleLine } from '../../host/kernels/table.js';
import { CORE_FILE } from '../support/core.js';
import { coreFile } from '../support/cores.js';

const compile = (file: string) => new WebAssembly.Module(readFileSync(file));
const modules = { kernels: compile(await coreFile('kernelLibrary', 'release')), core: compile(CORE_FILE) };

async function measured(only: string[]): Promise<Measured[]> {
  const found: Measured[] = [];
  for await (const each of measure(modules, { seconds: 0.001, only })) found.push(each);
  return found;
}

it('measures what is asked for', async () => {
  const [one, two, ...more] = await measured(['plain unpack: 1* bits', 'NORMS:made']);
  expect(one).toMatchObject({ question: 'plain unpack', case: '1 bits', item: 'integer' });
  expect(two).toMatchObject({ question: 'plain unpack', case: '10 bits' });
  expect(more.map((each) => each.case)).toEqual(['12 bits', '14 bits', '16 bits', 'made']);
  for (const { nanoseconds, best, itemsPerSecond, bytesPerSecond, margin, samples, runs } of [one!, two!]) {
    expect(best).toBeGreaterThan(0);
    expect(nanoseconds).toBeGreaterThanOrEqual(best);
    expect(nanoseconds * itemsPerSecond).toBeCloseTo(1e9, 0);
    expect(bytesPerSecond! / itemsPerSecond).toBeGreaterThanOrEqual(1 / 8);
    expect([margin >= 0, samples >= 5, runs >= 1]).toEqual([true, true, true]);
  }
});

it('measures plans of the whole core as well, whose totals are checked', async () => {
  const found = await measured(['phrase', 'union: rare or rare*']);
  expect(found.map(({ question }) => question)).toEqual([
    ...Array(3).fill('union of two lists'),
    ...Array(4).fill('phrase check, two words'),
  ]);
});

it('says what there is where nothing is called so, and refuses times that are none', async () => {
  await expect(measured(['nothing'])).rejects.toThrow(
    /^nothing is called so; the questions are: block decode.*; norms;/,
  );
  await expect(measured(['norms: nothing'])).rejects.toThrow(RangeError);
  await expect(measure(modules, { seconds: 0 }).next()).rejects.toThrow(
    'seconds must be from 0.001 to 60, not 0',
  );
});

it('finds the parts of a pattern one behind the other', () => {
  expect(contains('union of two lists', 'UNION*lists')).toBe(true);
  expect(contains('union of two lists', 'lists*union')).toBe(false);
  expect(contains('aa', 'a*a')).toBe(true);
  expect(contains('a', 'a*a')).toBe(false);
});

it('knows how finely a clock measures', () => {
  let reading = 0;
  expect(clockStep(() => 0.1 * Math.floor(reading++ / 10))).toBeCloseTo(0.1, 9);
  expect(clockStep()).toBeGreaterThan(0);
});

it('prints three digits, with a prefix where there are thousands', () => {
  expect([0, 0.012345, 0.5, 1, 12.34, 999.4, 12345].map(digits)).toEqual([
    '0',
    '0.0123',
    '0.500',
    '1.00',
    '12.3',
    '999',
    '12345',
  ]);
  expect([5, 999.6, 1234, 3.456e9, 9e15].map(scaled)).toEqual([
    '5.00 ',
    '1.00 k',
    '1.23 k',
    '3.46 G',
    '9000 T',
  ]);
  const result: Measured = {
    question: 'plain unpack',
    case: '1 bits',
    item: 'integer',
    nanoseconds: 0.25,
    best: 0.2,
    itemsPerSecond: 4e9,
    bytesPerSecond: 5e8,
    margin: 1.26,
    samples: 9,
    runs: 1,
  };
  expect(titleLine(result).split(/ {2,}/)).toEqual([
    'plain unpack',
    'ns/integer',
    'integers/s',
    'bytes/s',
    'margin',
  ]);
  expect(caseLine(result).trim().split(/ {2,}/)).toEqual(['1 bits', '0.250', '4.00 G', '500 MB', '±1.3 %']);
  expect(caseLine({ ...result, bytesPerSecond: null })).toMatch(/4\.00 G +- +±/);
});

it('reads its arguments', () => {
  expect(parseBench([])).toEqual({ kind: 'kernels', seconds: 0.15, only: [], json: false });
  expect(parseBench(['--only', 'union', '--seconds=.05', '--json', '--only=top k'])).toEqual({
    kind: 'kernels',
    seconds: 0.05,
    only: ['union', 'top k'],
    json: true,
  });
  expect(parseBench(['--help'])).toEqual({ kind: 'help' });
  const mistakes = [
    ['--seconds'],
    ['--seconds', 'x'],
    ['--seconds', '0'],
    ['--seconds', '61'],
    ['--json=1'],
    ['x'],
    ['--only='],
  ];
  for (const args of mistakes) expect(parseBench(args)).toMatchObject({ kind: 'mistake' });
  expect(parseBench(['x'])).toEqual({ kind: 'mistake', message: 'unknown argument x' });
});
