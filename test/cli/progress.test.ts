import { expect, it } from 'vitest';
import { durationText, progressText } from '../../host/cli/terminal/progress.js';

const nothing = { items: 0, refused: 0, share: 0 };

it('tells what is done, how fast, and how long it will take', () => {
  expect(progressText({ items: 1200, refused: 3, share: 0.4 }, nothing, 2, 'documents')).toBe(
    '40 % 1,200 documents, 3 refused, 600/s, 3 s left',
  );
  expect(progressText({ items: 1, refused: 0, share: undefined }, nothing, 1, 'documents')).toBe(
    '1 documents, 1/s',
  );
  expect(progressText({ items: 9, refused: 0, share: 1 }, nothing, 1, 'documents')).toBe(
    '100 % 9 documents, 9/s',
  );
  expect(progressText(nothing, nothing, 0, 'documents')).toBe('0 % 0 documents');
});

it('goes by what it did itself, where something was done before', () => {
  const before = { items: 1000, refused: 0, share: 0.5 };
  expect(progressText({ items: 1100, refused: 0, share: 0.75 }, before, 10, 'documents')).toBe(
    '75 % 1,100 documents, 10/s, 10 s left',
  );
});

it('names times as people do', () => {
  expect([0.2, 89, 150, 7500].map(durationText)).toEqual(['1 s', '89 s', '3 min', '2 h 5 min']);
});
