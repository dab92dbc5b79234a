/** Documents one by one, and many at a time. */
import type { Chapter } from './chapter';

export const documents: Chapter = {
  name: 'documents',
  title: 'Documents',
  about: 'A document is JSON with an index, a type and an id. Each change gives it a new version.',
  steps: [
    {
      says: 'Store a document under an id; the index is made by itself.',
      request: `PUT /guide-library/book/1
{
  "title": "The Time Machine",
  "author": "H. G. Wells",
  "year": 1895
}`,
    },
    { says: 'Read it back: it can be read at once.', request: 'GET /guide-library/book/1' },
    {
      says: 'Store one without an id: the server makes one up.',
      request: `POST /guide-library/book
{
  "title": "The Invisible Man",
  "author": "H. G. Wells",
  "year": 1897
}`,
    },
    {
      says: 'Change a part of it: the rest stays.',
      request: `POST /guide-library/book/1/_update
{
  "doc": {
    "pages": 118
  }
}`,
    },
    {
      says: 'Write only if nobody else has: with another version than the newest it is refused with 409.',
      request: `PUT /guide-library/book/1?version=2
{
  "title": "The Time Machine",
  "author": "H. G. Wells",
  "year": 1895,
  "pages": 120
}`,
    },
    {
      says: 'Read only the source, without what is around it.',
      request: 'GET /guide-library/book/1/_source',
    },
    {
      says: 'Read several at once.',
      request: `GET /guide-library/book/_mget
{
  "ids": ["1", "2"]
}`,
    },
    { says: 'Delete it.', request: 'DELETE /guide-library/book/1' },
    { says: 'Delete the index with all that is in it.', request: 'DELETE /guide-library' },
  ],
};

export const bulk: Chapter = {
  name: 'bulk',
  title: 'Many at a time',
  about:
    'A bulk request carries many writes, each in lines of its own. One that fails does not stop the others.',
  steps: [
    {
      says: 'Two lines for each write: what to do, and the document.',
      request: `POST /guide-bulk/book/_bulk?refresh=true
{"index": {"_id": "1"}}
{"title": "The War of the Worlds", "year": 1898}
{"index": {"_id": "2"}}
{"title": "Around the World in Eighty Days", "year": 1872}
{"create": {"_id": "3"}}
{"title": "The Machine Stops", "year": 1909}`,
    },
    {
      says: 'Update and delete in one request; creating an id that is there fails, and says so in its item.',
      request: `POST /guide-bulk/book/_bulk?refresh=true
{"update": {"_id": "2"}}
{"doc": {"author": "Jules Verne"}}
{"delete": {"_id": "1"}}
{"create": {"_id": "3"}}
{"title": "It exists already"}`,
    },
    { says: 'See what is left.', request: 'GET /guide-bulk/_search' },
    {
      says: 'Several searches in one request work alike.',
      request: `GET /guide-bulk/_msearch
{}
{"query": {"match": {"title": "machine"}}}
{}
{"query": {"match": {"title": "world"}}}`,
    },
    { says: 'Clear up.', request: 'DELETE /guide-bulk' },
  ],
};
