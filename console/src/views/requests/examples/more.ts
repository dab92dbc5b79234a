/** Suggestions, stored queries, aliases, reading everything. */
import type { Chapter } from './chapter';

export const suggest: Chapter = {
  name: 'suggest',
  title: 'Suggestions',
  about: 'Corrections of words and phrases, and completions while somebody types.',
  steps: [
    {
      says: 'A field for completions beside a text.',
      request: `PUT /guide-music
{
  "settings": {"number_of_shards": 1},
  "mappings": {
    "song": {
      "properties": {
        "title": {"type": "string"},
        "typed": {"type": "completion", "payloads": true}
      }
    }
  }
}`,
    },
    {
      says: 'Some songs.',
      request: `POST /guide-music/song/_bulk?refresh=true
{"index": {"_id": "1"}}
{"title": "Smells like teen spirit", "typed": {"input": ["Smells like teen spirit", "Nirvana"], "weight": 30}}
{"index": {"_id": "2"}}
{"title": "Come as you are", "typed": {"input": ["Come as you are", "Nirvana"], "weight": 20}}
{"index": {"_id": "3"}}
{"title": "Northern spirit", "typed": {"input": ["Northern spirit"], "weight": 5}}`,
    },
    {
      says: 'What begins so?',
      request: `POST /guide-music/_suggest
{
  "songs": {
    "text": "n",
    "completion": {"field": "typed"}
  }
}`,
    },
    {
      says: 'Which word was meant?',
      request: `POST /guide-music/_suggest
{
  "words": {
    "text": "tean spirti",
    "term": {"field": "title"}
  }
}`,
    },
    {
      says: 'Which phrase was meant, beside a search?',
      request: `GET /guide-music/_search
{
  "query": {"match": {"title": "tean spirti"}},
  "suggest": {
    "phrases": {
      "text": "tean spirti",
      "phrase": {"field": "title"}
    }
  }
}`,
    },
    { says: 'Clear up.', request: 'DELETE /guide-music' },
  ],
};

export const percolate: Chapter = {
  name: 'percolate',
  title: 'Stored queries',
  about:
    'Percolation turns a search around: queries are stored, and a document asks which of them it matches.',
  steps: [
    {
      says: 'The fields of the documents must be known.',
      request: `PUT /guide-alerts
{
  "mappings": {
    "news": {
      "properties": {
        "text": {"type": "string"}
      }
    }
  }
}`,
    },
    {
      says: 'Store a query under a name.',
      request: `PUT /guide-alerts/.percolator/storms?refresh=true
{
  "query": {"match": {"text": "storm"}},
  "group": "weather"
}`,
    },
    {
      says: 'Which queries does this document match?',
      request: `GET /guide-alerts/news/_percolate
{
  "doc": {"text": "A storm is coming"}
}`,
    },
    {
      says: 'Only the number of them.',
      request: `GET /guide-alerts/news/_percolate/count
{
  "doc": {"text": "Sunshine all week"}
}`,
    },
    { says: 'Clear up.', request: 'DELETE /guide-alerts' },
  ],
};

export const aliases: Chapter = {
  name: 'aliases',
  title: 'Aliases',
  about: 'An alias is another name for an index, or for a part of one. It moves to a new index in one step.',
  steps: [
    { says: 'Two versions of an index.', request: 'PUT /guide-v1' },
    { says: 'The second one.', request: 'PUT /guide-v2' },
    {
      says: 'The alias means the first one.',
      request: `POST /_aliases
{
  "actions": [
    {"add": {"index": "guide-v1", "alias": "guide-current"}}
  ]
}`,
    },
    {
      says: 'Programs use the alias.',
      request: `PUT /guide-current/note/1?refresh=true
{
  "text": "Where am I?",
  "user": "ann"
}`,
    },
    {
      says: 'Move it to the second one in one step.',
      request: `POST /_aliases
{
  "actions": [
    {"remove": {"index": "guide-v1", "alias": "guide-current"}},
    {"add": {"index": "guide-v2", "alias": "guide-current"}}
  ]
}`,
    },
    {
      says: 'An alias with a filter shows a part.',
      request: `PUT /guide-v1/_alias/guide-of-ann
{
  "filter": {"term": {"user": "ann"}}
}`,
    },
    { says: 'Search through it.', request: 'GET /guide-of-ann/_search' },
    { says: 'All aliases.', request: 'GET /_cat/aliases?v' },
    { says: 'Clear up: the first one.', request: 'DELETE /guide-v1' },
    { says: 'And the second one.', request: 'DELETE /guide-v2' },
  ],
};

export const scroll: Chapter = {
  name: 'scroll',
  title: 'Reading everything',
  about: 'A scroll reads all hits page by page, as they were when it began, however many there are.',
  steps: [
    {
      says: 'Some documents.',
      request: `POST /guide-many/line/_bulk?refresh=true
{"index": {"_id": "1"}}
{"n": 1}
{"index": {"_id": "2"}}
{"n": 2}
{"index": {"_id": "3"}}
{"n": 3}`,
    },
    {
      says: 'Begin: the answer has the first page and a _scroll_id, which the next request wants in its body.',
      request: `GET /guide-many/_search?scroll=1m
{
  "size": 2,
  "sort": "_doc"
}`,
    },
    {
      says: 'From and size are enough for the first thousands.',
      request: `GET /guide-many/_search
{
  "from": 2,
  "size": 2,
  "sort": "n"
}`,
    },
    { says: 'End all scrolls: what they hold is free again.', request: 'DELETE /_search/scroll/_all' },
    { says: 'Clear up.', request: 'DELETE /guide-many' },
  ],
};
