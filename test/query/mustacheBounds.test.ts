import { expect, it } from 'vitest';
import { Mustache } from '../../host/query/compound/mustache.js';

it('sections within sections are written only so often', () => {
  const list = Array.from({ length: 60 }, (_, i) => i);
  const nested = `${'{{#a}}'.repeat(5)}x${'{{/a}}'.repeat(5)}`;
  expect(() => new Mustache(nested).render({ a: list })).toThrow('more than 200000 parts would be written');
  const empty = `${'{{#a}}'.repeat(5)}${'{{/a}}'.repeat(5)}`;
  expect(() => new Mustache(empty).render({ a: list })).toThrow('more than 200000 parts would be written');
  expect(new Mustache('{{#a}}{{#a}}x{{/a}}{{/a}}').render({ a: list })).toBe('x'.repeat(3600));
});
