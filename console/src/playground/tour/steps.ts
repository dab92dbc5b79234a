/** The ten steps of the tour. */
import type { Client } from '../../api/client';
import { DATA_SETS, loadDataSet } from '../dataSets';

export interface Step {
  title: string;
  text: string;
  /** On the button. */
  action: string;
  /** Where it leads. */
  view: string;
  params: Readonly<Record<string, string>>;
  /** Done before: documents that the step needs. */
  prepare?: (client: Client) => Promise<void>;
}

/** Loads a set where its index isn't there. */
const needs = (index: string) => async (client: Client) => {
  const { status } = await client.send('HEAD', `/${index}`, undefined, { quiet: true });
  const set = DATA_SETS.find((each) => each.index === index)!;
  if (status !== 200) await loadDataSet(client, set, () => {});
};

const ARTWORKS = { index: 'artworks' } as const;
const artworks = needs('artworks');
/** The question that several steps look at. */
const SEA = { q: 'storm at sea', fields: 'title,subjects' } as const;

export const STEPS: readonly Step[] = [
  {
    title: '1. Documents',
    text: '2,760 works of art become an index: each text is split into words, and each word gets a list of the documents that have it.',
    action: 'Load the works of art',
    view: 'overview',
    params: {},
    prepare: artworks,
  },
  {
    title: '2. What a text becomes',
    text: 'Before a text is searched, an analyzer makes terms of it: in lower case, without accents, without endings. Watch it stage by stage.',
    action: 'Analyze a title',
    view: 'analysis',
    params: { ...ARTWORKS, by: 'field', field: 'title', text: 'Ships Sailing past the Châteaux' },
    prepare: artworks,
  },
  {
    title: '3. A search',
    text: 'Three words, any of them may be there. The number of hits is exact, and the best of them come first.',
    action: 'Search for a storm at sea',
    view: 'search',
    params: { ...ARTWORKS, ...SEA },
    prepare: artworks,
  },
  {
    title: '4. Why a hit ranks where it does',
    text: 'The third hit has the words of the second, in a longer title. Its score, taken apart: how rare a word is (idf), how often the field has it (tf), how short the field is (norm).',
    action: 'Explain the third hit',
    view: 'search',
    params: { ...ARTWORKS, ...SEA, hit: '["artworks","artwork","14382"]' },
    prepare: artworks,
  },
  {
    title: '5. Change what counts',
    text: 'A title that says it should matter more. Give it a boost of 4, and see which hits rise, fall, or are new.',
    action: 'Compare both orders',
    view: 'search',
    params: { ...ARTWORKS, ...SEA, compare: 'true', q2: SEA.q, fields2: 'title^4,subjects' },
    prepare: artworks,
  },
  {
    title: '6. Requests',
    text: 'All of this is the REST interface of Elasticsearch 1.x. Write a request yourself: names of queries and fields are offered as you type.',
    action: 'Open the editor',
    view: 'requests',
    params: ARTWORKS,
    prepare: artworks,
  },
  {
    title: '7. The mapping',
    text: 'How is each field indexed? The artist twice: as words to be found, and as a whole to be counted.',
    action: 'Look at the mapping',
    view: 'mappings',
    params: ARTWORKS,
    prepare: artworks,
  },
  {
    title: '8. Counting',
    text: 'Aggregations count and measure what a search finds: here the works by twenty years, and what they show.',
    action: 'Count the works',
    view: 'aggregations',
    params: {
      ...ARTWORKS,
      aggs: '{"years":{"histogram":{"field":"year","interval":20},"aggs":{"subjects":{"terms":{"field":"tags","size":5}}}}}',
    },
    prepare: artworks,
  },
  {
    title: '9. On a map',
    text: 'Cities as points, or as cells that count them. Draw a box or a circle, and it becomes a filter.',
    action: 'Show the cities',
    view: 'map',
    params: { index: 'places', field: 'location' },
    prepare: needs('places'),
  },
  {
    title: '10. Your own',
    text: 'Drop a file and see which mapping is proposed. “Share as a link” then puts a small index and your question into an address: no server needed.',
    action: 'Put a file in',
    view: 'transfer',
    params: {},
  },
];
