/** Documents that belong together. */
import type { Chapter } from './chapter';

export const relatives: Chapter = {
  name: 'parents',
  title: 'Parents and children',
  about: 'A child is a document of its own that names its parent. Both can be changed without the other.',
  steps: [
    {
      says: 'Employees are children of branches.',
      request: `PUT /guide-company
{
  "mappings": {
    "branch": {},
    "employee": {
      "_parent": {"type": "branch"}
    }
  }
}`,
    },
    {
      says: 'Two branches.',
      request: `POST /guide-company/branch/_bulk
{"index": {"_id": "london"}}
{"name": "London Westminster", "country": "UK"}
{"index": {"_id": "paris"}}
{"name": "Champs Élysées", "country": "France"}`,
    },
    {
      says: 'Three employees, each with its parent.',
      request: `POST /guide-company/employee/_bulk?refresh=true
{"index": {"_id": "1", "parent": "london"}}
{"name": "Alice Smith", "born": "1970-10-24", "hobby": "hiking"}
{"index": {"_id": "2", "parent": "london"}}
{"name": "Mark Thomas", "born": "1982-05-16", "hobby": "diving"}
{"index": {"_id": "3", "parent": "paris"}}
{"name": "Adrien Grand", "born": "1987-05-11", "hobby": "horses"}`,
    },
    {
      says: 'Branches with an employee born after 1980, and which one it was.',
      request: `GET /guide-company/branch/_search
{
  "query": {
    "has_child": {
      "type": "employee",
      "query": {"range": {"born": {"gte": "1980-01-01"}}},
      "inner_hits": {}
    }
  }
}`,
    },
    {
      says: 'Employees of branches in the UK.',
      request: `GET /guide-company/employee/_search
{
  "query": {
    "has_parent": {
      "type": "branch",
      "query": {"match": {"country": "UK"}}
    }
  }
}`,
    },
    {
      says: 'Hobbies by country.',
      request: `GET /guide-company/branch/_search?search_type=count
{
  "aggs": {
    "country": {
      "terms": {"field": "country"},
      "aggs": {
        "employees": {
          "children": {"type": "employee"},
          "aggs": {
            "hobby": {"terms": {"field": "hobby"}}
          }
        }
      }
    }
  }
}`,
    },
    {
      says: 'A child is read with the id of its parent.',
      request: 'GET /guide-company/employee/1?parent=london',
    },
    { says: 'Clear up.', request: 'DELETE /guide-company' },
  ],
};

export const nested: Chapter = {
  name: 'nested',
  title: 'Nested objects',
  about: 'The objects of a list are searched one by one, rather than all their values together.',
  steps: [
    {
      says: 'Comments are nested in posts.',
      request: `PUT /guide-blog
{
  "mappings": {
    "post": {
      "properties": {
        "comments": {
          "type": "nested",
          "properties": {
            "name": {"type": "string"},
            "age": {"type": "short"},
            "stars": {"type": "short"}
          }
        }
      }
    }
  }
}`,
    },
    {
      says: 'A post with two comments.',
      request: `PUT /guide-blog/post/1?refresh=true
{
  "title": "Nest eggs",
  "comments": [
    {"name": "John Smith", "age": 28, "stars": 4},
    {"name": "Alice White", "age": 31, "stars": 5}
  ]
}`,
    },
    {
      says: 'Nobody called Alice is 28: no hit.',
      request: `GET /guide-blog/_search
{
  "query": {
    "nested": {
      "path": "comments",
      "query": {
        "bool": {
          "must": [
            {"match": {"comments.name": "alice"}},
            {"match": {"comments.age": 28}}
          ]
        }
      }
    }
  }
}`,
    },
    {
      says: 'Which comment matched.',
      request: `GET /guide-blog/_search
{
  "query": {
    "nested": {
      "path": "comments",
      "query": {"match": {"comments.name": "alice"}},
      "inner_hits": {}
    }
  }
}`,
    },
    {
      says: 'The mean of the stars of all comments.',
      request: `GET /guide-blog/_search?search_type=count
{
  "aggs": {
    "comments": {
      "nested": {"path": "comments"},
      "aggs": {
        "stars": {"avg": {"field": "comments.stars"}}
      }
    }
  }
}`,
    },
    { says: 'Clear up.', request: 'DELETE /guide-blog' },
  ],
};
