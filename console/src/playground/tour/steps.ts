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
  params?: Readonly<Record<string, string>>;
  /** Done before: documents that the step needs. */
  prepare?: (client: Client) => Promise<void>;
}

/** Loads a set where its index isn't there. */
const needs = (index: string) => async (client: Client) => {
  const { status } = await client.send('HEAD', `/${index}`, undefined, { quiet: true });
  const set = DATA_SETS.find((each) => each.index === index)!;
  if (status !== 200) await loadDataSet(client, set, () => {});
};

export const STEPS: readonly Step[] = [
  {
    title: '1. Documents',
    text: '2,760 works of art become an index: each text is split into words, each word gets a list of the documents that have it.',
    action: 'Load the works of art',
    view: 'overview',
    prepare: needs('artworks'),
  },
  {
    title: '2. What a text becomes',
    text: 'Before a text is searched, an analyzer makes terms of it: lower case, without accents, without endings. Watch it stage by stage.',
    action: 'Analyze a title',
    view: 'analysis',
    params: { index: 'artworks', analyzer: 'titles', text: 'Ships Sailing past the Châteaux' },
    prepare: needs('artworks'),
  },
  {
    title: '3. A search',
    text: 'Two words, either may be there. The total is exact, the best hits come first.',
    action: 'Search for stormy seas',
    view: 'search',
    params: { index: 'artworks', q: 'stormy sea', fields: 'title,subjects' },
    prepare: needs('artworks'),
  },
  {
    title: '4. Why a hit ranks where it does',
    text: 'Choose the third hit. Its score is a sum: how rare a word is (idf), how often the document has it (tf), how long the field is (norm).',
    action: 'Explain the hits',
    view: 'search',
    params: { index: 'artworks', q: 'stormy sea', fields: 'title,subjects', hit: '3' },
    prepare: needs('artworks'),
  },
  {
    title: '5. Change what counts',
    text: 'A title that says it matters more: give the field title a weight of 4 and compare both orders.',
    action: 'Compare two queries',
    view: 'search',
    params: { index: 'artworks', q: 'stormy sea', fields: 'title^4,subjects' },
    prepare: needs('artworks'),
  },
  {
    title: '6. Requests',
    text: 'Everything you see is the REST interface of Elasticsearch 1.x. Write a request yourself; names of queries and fields are offered as you type.',
    action: 'Open the editor',
    view: 'requests',
    params: { index: 'artworks' },
    prepare: needs('artworks'),
  },
  {
    title: '7. The mapping',
    text: 'How is each field indexed? The artist twice: as words to be found, and as a whole to be counted.',
    action: 'Look at the mapping',
    view: 'mappings',
    params: { index: 'artworks' },
    prepare: needs('artworks'),
  },
  {
    title: '8. Counting',
    text: 'Aggregations count and measure what a search finds: works by subject, by year, by artist.',
    action: 'Count the works',
    view: 'aggregations',
    params: { index: 'artworks' },
    prepare: needs('artworks'),
  },
  {
    title: '9. On a map',
    text: 'Cities as points, or as cells that count. Draw a box or a circle, and it becomes a filter.',
    action: 'Show the cities',
    view: 'map',
    params: { index: 'places', field: 'location' },
    prepare: needs('places'),
  },
  {
    title: '10. Your own',
    text: 'Drop a file and see the mapping that is proposed. “Share as a link” puts a small index and your question into an address: no server needed.',
    action: 'Put a file in',
    view: 'transfer',
  },
];
