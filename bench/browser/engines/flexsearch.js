import { Index } from 'flexsearch';

export async function open() {
  // It finds what begins with a word; without this it would find words alone, and no prefixes.
  const engine = new Index({ tokenize: 'forward' });
  const ask = (text) => engine.search(text, { limit: 10 });
  return {
    index(documents) {
      for (const { id, text } of documents) engine.add(id, text);
    },
    word: ask,
    words: ask,
    prefix: ask,
  };
}
