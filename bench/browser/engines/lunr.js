import lunr from 'lunr';

export async function open() {
  let engine;
  const ask = (text) =>
    engine
      .search(text)
      .slice(0, 10)
      .map(({ ref }) => ref);
  return {
    index(documents) {
      engine = lunr(function () {
        this.ref('id');
        this.field('text');
        for (const document of documents) this.add(document);
      });
    },
    word: (text) => ask(text),
    words: (text) => ask(text.replace(/\S+/g, '+$&')),
    prefix: (text) => ask(`${text}*`),
    fuzzy: (text) => ask(`${text}~1`),
  };
}
