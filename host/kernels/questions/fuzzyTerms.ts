/**
 * How fast are words compared with a fuzzy one?
 *
 * Measured: a Levenshtein automaton of an eight-letter word over 20,000 made-up words of 3 to 12 letters, each from its first byte on. Searches
 * walk sorted terms and read what neighbours share once. Making the automaton is measured by itself, by the word.
 */
import { fuzzyAutomaton } from '../../automata/fuzzyAutomaton.js';
import { joined } from '../kernels.js';
import { generator } from './generator.js';
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

const WORDS = 20_000;
const LETTERS = 'etaoinsrhldcumfpgwybvkxjqz';

function cases(subjects: Subjects): Case[] {
  const kernels = subjects.kernels();
  const { calls } = kernels;
  const random = generator(4);
  const letter = () => LETTERS[Math.floor(LETTERS.length * random() * random())]!;
  const words = Array.from({ length: WORDS }, () =>
    Array.from({ length: 3 + Math.floor(10 * random()) }, letter).join(''),
  );
  const [bytes, lengths] = joined(words);
  const put = (content: Uint8Array) => {
    const ptr = kernels.block(content.length);
    kernels.bytes.set(content, ptr);
    return ptr;
  };
  const [terms, sizes, accepted] = [put(bytes), put(new Uint8Array(lengths.buffer)), kernels.block(WORDS)];
  const walks = [1, 2].map((edits) => {
    const automaton = fuzzyAutomaton('distance', edits, 0, true);
    const at = put(automaton);
    return {
      name: `${edits} edit${edits === 1 ? '' : 's'}`,
      items: WORDS,
      bytes: bytes.length,
      run: () => {
        calls.acceptAll(at, automaton.length, terms, sizes, WORDS, accepted);
        calls.requestReset();
      },
    };
  });
  const making = [1, 2].map((edits) => ({
    name: `made, ${edits} edit${edits === 1 ? '' : 's'}`,
    items: 1,
    run: () => void fuzzyAutomaton('distance', edits, 0, true),
  }));
  return [...walks, ...making];
}

export const fuzzyTerms: Question = { title: 'Levenshtein automata', item: 'word', cases };
