/** Places in long texts are counted as in short ones. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonPlaces } from '../../host/json/jsonPlaces.js';

it('columns count the bytes of long texts, whatever the pieces that are looked at', () => {
  const part = fc.constantFrom('a'.repeat(16_383), 'é', '€', '\u{1f600}', 'b', '\n', '\ud800');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.nat(2), (parts, ends) => {
      const text = parts.join('');
      const bytes = (value: string) => new TextEncoder().encode(value).length;
      const column = bytes(text.slice(text.lastIndexOf('\n') + 1)) + (7 + bytes(text)) * (ends + 1) + 1;
      const line = text.split('\n').length;
      expect(new JsonPlaces(text, 7).end(ends)).toMatch(new RegExp(`line: ${line}, column: ${column}]$`));
    }),
    { numRuns: 200, seed: 1 },
  );
});
