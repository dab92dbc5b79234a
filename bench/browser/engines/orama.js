import { create, insertMultiple, search } from '@orama/orama';

export async function open() {
  const engine = create({ schema: { text: 'string' } });
  const ask = async (term, options) =>
    (await search(engine, { term, limit: 10, ...options })).hits.map(({ id }) => id);
  return {
    index: (documents) => insertMultiple(engine, documents, 1000),
    word: (text) => ask(text, { exact: true }),
    words: (text) => ask(text, { exact: true, threshold: 0 }),
    prefix: (text) => ask(text),
    fuzzy: (text) => ask(text, { tolerance: 1 }),
  };
}
