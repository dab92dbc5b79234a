import initialize from '@sqlite.org/sqlite-wasm';

export async function open() {
  const sqlite = await initialize();
  const database = new sqlite.oo1.DB(':memory:');
  database.exec('CREATE VIRTUAL TABLE passages USING fts5(id UNINDEXED, text)');
  const select = database.prepare('SELECT id FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT 10');
  const ask = (match) => {
    const found = [];
    select.bind(match);
    while (select.step()) found.push(select.get(0));
    select.reset();
    return found;
  };
  return {
    index(documents) {
      const insert = database.prepare('INSERT INTO passages VALUES (?, ?)');
      database.transaction(() => {
        for (const { id, text } of documents) insert.bind([id, text]).stepReset();
      });
      insert.finalize();
    },
    word: (text) => ask(`"${text}"`),
    words: (text) => ask(text.replace(/\S+/g, '"$&"')),
    phrase: (text) => ask(`"${text}"`),
    prefix: (text) => ask(`"${text}"*`),
  };
}
