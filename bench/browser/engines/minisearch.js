import MiniSearch from 'minisearch';

export async function open() {
  const engine = new MiniSearch({ fields: ['text'] });
  const ask = (text, options) =>
    engine
      .search(text, options)
      .slice(0, 10)
      .map(({ id }) => id);
  return {
    index: (documents) => engine.addAll(documents),
    word: (text) => ask(text),
    words: (text) => ask(text, { combineWith: 'AND' }),
    prefix: (text) => ask(text, { prefix: true }),
    fuzzy: (text) => ask(text, { fuzzy: 1 }),
  };
}
