import type { Caller } from '../../host/library/options.js';

/** Requests that need a part of the host that a browser's file has beside it, by the part's name in its file. */
const RARE: Readonly<Record<string, readonly (readonly [method: string, uri: string, body?: unknown])[]>> = {
  kstemWords: [
    [
      'PUT',
      '/stems',
      {
        settings: {
          analysis: { analyzer: { k: { tokenizer: 'standard', filter: ['lowercase', 'kstem'] } } },
        },
      },
    ],
    ['GET', '/stems/_analyze?analyzer=k&text=Swiss+ponies+agreed'],
    ['GET', '/_analyze?tokenizer=standard&filters=kstem&text=definitions'],
    ['PUT', '/stems/word/1?refresh=true', { name: 'Swiss ponies agreed', size: 3 }],
  ],
  uaxUrlEmailAutomaton: [
    ['GET', '/_analyze?tokenizer=uax_url_email&text=a@example.com+or+http://example.com/b'],
  ],
  everyKind: [
    ['POST', '/stems/_search', { size: 0, aggs: { sizes: { terms: { field: 'size' } } } }],
    ['POST', '/stems/_search', { size: 0, facets: { sizes: { statistical: { field: 'size' } } } }],
  ],
  kinds: [
    ['GET', '/stems/_search?q=name:ponies'],
    ['POST', '/stems/_search', { query: { span_term: { name: 'ponies' } } }],
    ['POST', '/stems/_search', { filter: { numeric_range: { size: { gt: 2 } } } }],
  ],
  everyPart: [
    [
      'PUT',
      '/languages',
      { mappings: { word: { properties: { name: { type: 'string', analyzer: 'german' } } } } },
    ],
    ['GET', '/languages/_analyze?field=name&text=Die+H%C3%A4user'],
  ],
  everyRegex: [
    [
      'PUT',
      '/patterns',
      {
        mappings: {
          word: {
            dynamic_templates: [{ whole: { match: 'n_*', mapping: { index: 'not_analyzed' } } }],
            properties: { name: { type: 'string', fielddata: { filter: { regex: { pattern: 'p.*' } } } } },
          },
        },
      },
    ],
    ['PUT', '/patterns/word/1?refresh=true', { name: 'Swiss ponies', n_a: 'Swiss ponies' }],
  ],
  everyPattern: [['POST', '/patterns/_search', { sort: ['name', 'n_a'] }]],
  routes: [
    ['GET', '/_cat/count/stems?h=count'],
    ['GET', '/stems/_alias'],
    ['GET', '/_nothing'],
  ],
  yaml: [['GET', '/stems/word/1?format=yaml']],
  binaryFormats: [['GET', '/stems/word/1?format=smile']],
  highlighting: [
    ['POST', '/stems/_search', { query: { match: { name: 'ponies' } }, highlight: { fields: { name: {} } } }],
  ],
  suggesters: [
    [
      'POST',
      '/stems/_suggest',
      { near: { text: 'poneys', term: { field: 'name', suggest_mode: 'always' } } },
    ],
  ],
  snapshots: [
    ['PUT', '/_snapshot/box', { type: 'fs', settings: { location: 'box' } }],
    ['PUT', '/_snapshot/box/one?wait_for_completion=false', { indices: 'none', ignore_unavailable: true }],
    ['GET', '/_snapshot/box'],
  ],
  explaining: [
    ['POST', '/stems/word/1/_explain', { query: { match: { name: 'ponies' } } }],
    ['GET', '/stems/_validate/query?rewrite=true&q=name:pon*'],
  ],
};

/** The parts that the requests need. */
export const RARE_PARTS = Object.keys(RARE);

/** What they are answered, times taken out; the same on every platform. */
export async function askRarely({ request: call }: Pick<Caller, 'request'>): Promise<string[]> {
  const answers: string[] = [];
  for (const [part, requests] of Object.entries(RARE)) {
    for (const [method, uri, body] of requests) {
      const { status, body: answer } = await call(method, uri, body);
      answers.push(
        `${part} ${method} ${uri}: ${status} ${JSON.stringify(answer)}`.replace(/"took":\d+/g, ''),
      );
    }
  }
  return answers;
}
