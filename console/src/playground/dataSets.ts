/** The small sets of documents that the playground brings, and how their indices are made. */
import type { Client } from '../api/client';
import type { JsonObject } from '../api/json';

export interface DataSet {
  index: string;
  type: string;
  title: string;
  /** In a sentence. */
  about: string;
  file: string;
  body: JsonObject;
}

export const DATA_SETS: readonly DataSet[] = [
  {
    index: 'artworks',
    type: 'artwork',
    title: 'Works of art',
    about: '2,760 drawings, prints and paintings of the Tate, with titles, artists, subjects and years.',
    file: 'artworks.jsonl',
    body: {
      settings: {
        number_of_shards: 1,
        number_of_replicas: 0,
        analysis: {
          analyzer: {
            titles: {
              type: 'custom',
              tokenizer: 'standard',
              filter: ['lowercase', 'asciifolding', 'english_stems'],
            },
          },
          filter: { english_stems: { type: 'stemmer', language: 'english' } },
        },
      },
      mappings: {
        artwork: {
          properties: {
            title: { type: 'string', analyzer: 'titles' },
            artist: { type: 'string', fields: { name: { type: 'string', index: 'not_analyzed' } } },
            medium: { type: 'string', fields: { name: { type: 'string', index: 'not_analyzed' } } },
            subjects: { type: 'string', analyzer: 'titles' },
            tags: { type: 'string', index: 'not_analyzed' },
            year: { type: 'integer' },
            acquired: { type: 'integer' },
            width: { type: 'integer' },
            height: { type: 'integer' },
          },
        },
      },
    },
  },
  {
    index: 'places',
    type: 'place',
    title: 'Cities of the world',
    about: 'Cities of 450,000 inhabitants and more, where they are and what they are called there.',
    file: 'places.jsonl',
    body: {
      settings: { number_of_shards: 2, number_of_replicas: 0 },
      mappings: {
        place: {
          properties: {
            name: { type: 'string' },
            native: { type: 'string' },
            country: { type: 'string', index: 'not_analyzed' },
            population: { type: 'long' },
            elevation: { type: 'integer' },
            location: { type: 'geo_point' },
          },
        },
      },
    },
  },
];

/** Lines of a bulk request. */
const LINES = 500;

/**
 * Makes the index of a set anew and fills it.
 * @param progress told of documents that are in
 */
export async function loadDataSet(
  client: Client,
  { index, type, file, body }: DataSet,
  progress: (done: number, all: number) => void,
): Promise<void> {
  const response = await fetch(`./data/${file}`);
  if (!response.ok) throw new Error(`${file} can't be had: status ${response.status}`);
  const documents = (await response.text()).trim().split('\n');
  const quiet = { quiet: true };
  const { status } = await client.send('HEAD', `/${index}`, undefined, quiet);
  if (status === 200) await client.json('DELETE', `/${index}`);
  await client.json('PUT', `/${index}`, body);
  for (let at = 0; at < documents.length; at += LINES) {
    const piece = documents.slice(at, at + LINES);
    const lines = piece.map((line) => {
      const { id, ...source } = JSON.parse(line) as { id: string };
      return `{"index":{"_id":${JSON.stringify(id)}}}\n${JSON.stringify(source)}\n`;
    });
    const answer = await client.json<{ errors: boolean }>(
      'POST',
      `/${index}/${type}/_bulk`,
      lines.join(''),
      quiet,
    );
    if (answer.errors) throw new Error(`some documents of ${file} were refused`);
    progress(Math.min(at + LINES, documents.length), documents.length);
  }
  await client.json('POST', `/${index}/_refresh`);
}
