import { createEngine } from 'resilin';

/** Requests of so many documents. */
const BULK = 500;

export async function open() {
  const engine = await createEngine();
  await engine.request('PUT', '/passages', { settings: { number_of_shards: 1 } });
  const ask = async (query) =>
    (await engine.search('passages', { query, fields: [] })).hits.hits.map(({ _id }) => _id);
  return {
    async index(documents) {
      for (let at = 0; at < documents.length; at += BULK) {
        const lines = documents
          .slice(at, at + BULK)
          .flatMap(({ id, text }) => [
            { index: { _index: 'passages', _type: 'passage', _id: id } },
            { text },
          ]);
        await engine.bulk(lines);
      }
      await engine.request('POST', '/passages/_refresh');
    },
    word: (text) => ask({ match: { text } }),
    words: (text) => ask({ match: { text: { query: text, operator: 'and' } } }),
    phrase: (text) => ask({ match_phrase: { text } }),
    prefix: (text) => ask({ prefix: { text } }),
    fuzzy: (text) => ask({ match: { text: { query: text, fuzziness: 1 } } }),
  };
}
