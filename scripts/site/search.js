/** The search of the documentation's site: Resilin in the tab, over all sections of all pages. Loaded when somebody begins to search. */

const MAPPING = {
  settings: { number_of_shards: 1 },
  mappings: {
    section: {
      properties: {
        page: { type: 'string', index: 'not_analyzed' },
        anchor: { type: 'string', index: 'no' },
        title: { type: 'string', analyzer: 'english' },
        heading: { type: 'string', analyzer: 'english' },
        text: { type: 'string', analyzer: 'english' },
      },
    },
  },
};
const MOST = 12;

/** The engine with the sections in it. */
async function opened() {
  const [{ createEngine }, sections] = await Promise.all([
    import('./engine/resilin.js'),
    fetch('sections.json').then((response) => response.json()),
  ]);
  const engine = await createEngine();
  await engine.request('PUT', '/docs', MAPPING);
  const lines = sections.flatMap((section) => ['{"index":{}}', JSON.stringify(section)]);
  await engine.request('POST', '/docs/section/_bulk?refresh=true', `${lines.join('\n')}\n`);
  return engine;
}

const FIELDS = ['heading^4', 'title^2', 'text'];

/** All words, wherever they stand; the last one may be the beginning of one. Words that are in every text, such as `of`, need not be there. */
function queryOf(text) {
  const words = text.toLowerCase().split(/\s+/);
  const last = words.pop();
  const begun = FIELDS.map((field) => field.split('^')).map(([name, boost = 1]) => ({
    prefix: { [name]: { value: last, boost } },
  }));
  const whole = { multi_match: { query: last, fields: FIELDS } };
  const before = words.map((query) => ({ multi_match: { query, fields: FIELDS, zero_terms_query: 'all' } }));
  return { bool: { must: [...before, { bool: { should: [whole, ...begun] } }] } };
}

async function search(engine, words) {
  const { body } = await engine.request('POST', '/docs/_search', {
    size: MOST,
    query: queryOf(words),
    highlight: {
      encoder: 'html',
      fields: { text: { fragment_size: 160, number_of_fragments: 1, no_match_size: 160 } },
    },
  });
  return body.hits;
}

let engine;
let latest = 0;
const input = document.querySelector('input[type=search]');
const found = document.querySelector('#found');

function escaped(text) {
  const span = document.createElement('span');
  span.textContent = text;
  return span.innerHTML;
}

function shown({ _source: { page, anchor, title, heading }, highlight }) {
  const place = heading === title ? escaped(title) : `${escaped(title)} &rsaquo; ${escaped(heading)}`;
  const text = highlight?.text?.[0] ?? '';
  return `<li><a href="${page}${anchor === '' ? '' : `#${anchor}`}">${place}</a><p>${text}</p></li>`;
}

async function update() {
  const words = input.value.trim();
  const own = ++latest;
  found.hidden = words === '';
  if (words === '') return;
  try {
    if (engine === undefined) found.textContent = 'Reading the pages ...';
    engine ??= opened();
    const { total, hits } = await search(await engine, words);
    // Somebody has typed on.
    if (own !== latest) return;
    found.innerHTML = `<p>${total === 0 ? 'Nothing was found' : `${total} found`}</p><ol>${hits.map(shown).join('')}</ol>`;
  } catch (error) {
    engine = undefined;
    found.textContent = `The search does not work here: ${error.message}`;
  }
}

input.addEventListener('focus', () => {
  engine ??= opened();
  engine.catch(() => {});
});
input.addEventListener('input', update);
input.form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault();
    input.focus();
  } else if (event.key === 'Escape') {
    input.value = '';
    update();
  }
});
found.addEventListener('click', (event) => {
  if (event.target.closest('a') !== null) found.hidden = true;
});
