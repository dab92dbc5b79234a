import fc from 'fast-check';
import { readClasses } from '../model/standardTokenizer.js';

/** A character of one class, all classes being equally likely; ASCII has classes of its own. */
const ranges = [
  ...readClasses().values(),
  [
    [0x20, 0x26] as [number, number],
    [0xfffd, 0xfffd] as [number, number],
    [0x1f600, 0x1f64f] as [number, number],
  ],
  [[0x41, 0x5a] as [number, number]],
  [[0x61, 0x7a] as [number, number]],
  [[0x30, 0x39] as [number, number]],
  [[0x20, 0x20] as [number, number]],
];
export const character = fc
  .constantFrom(...ranges)
  .chain((list) => fc.constantFrom(...list))
  .chain(([first, last]) => fc.integer({ min: first, max: last }))
  .map((c) => String.fromCodePoint(c));

/** Few characters or many, repeated or not, ASCII or not. */
export const text = fc.oneof(
  fc.array(character, { maxLength: 24 }).map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom(...'aB1_ .,\':;"-é\u05d0\u30a2'), { maxLength: 60 })
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Texts with words about as long as a token may be. */
export const longText = fc
  .array(fc.tuple(character, fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 120, max: 260 }))), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.map(([c, times]) => c.repeat(times)).join(''));
