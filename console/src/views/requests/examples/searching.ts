/** Fields, words, filters, orders. */
import type { Chapter } from './chapter';

export const mapping: Chapter = {
  name: 'mapping',
  title: 'Mappings and analysis',
  about: 'A mapping says how each field is indexed. What it says of a field stays; new fields can be added.',
  steps: [
    {
      says: 'Make an index with an analyzer of its own and a field that is indexed in two ways.',
      request: `PUT /guide-mapping
{
  "settings": {
    "number_of_shards": 1,
    "analysis": {
      "analyzer": {
        "folded": {
          "type": "custom",
          "tokenizer": "standard",
          "filter": ["lowercase", "asciifolding"]
        }
      }
    }
  },
  "mappings": {
    "recipe": {
      "properties": {
        "name": {
          "type": "string",
          "analyzer": "folded",
          "fields": {
            "exact": {"type": "string", "index": "not_analyzed"}
          }
        },
        "minutes": {"type": "integer"}
      }
    }
  }
}`,
    },
    {
      says: 'See which terms a text becomes.',
      request: `GET /guide-mapping/_analyze?analyzer=folded
Crème brûlée à la maison`,
    },
    {
      says: 'Compare with the English analyzer: it drops common words and endings.',
      request: `GET /_analyze?analyzer=english
The machines were running`,
    },
    {
      says: 'Store a document with a field that the mapping does not have.',
      request: `PUT /guide-mapping/recipe/1?refresh=true
{
  "name": "Crème brûlée",
  "minutes": 75,
  "vegetarian": true
}`,
    },
    { says: 'The mapping has it now.', request: 'GET /guide-mapping/_mapping' },
    {
      says: 'Add a field by hand.',
      request: `PUT /guide-mapping/_mapping/recipe
{
  "recipe": {
    "properties": {
      "added": {"type": "date", "format": "yyyy-MM-dd"}
    }
  }
}`,
    },
    {
      says: 'Search without accents: the analyzer folds the words of the query too.',
      request: `GET /guide-mapping/_search
{
  "query": {
    "match": {"name": "creme brulee"}
  }
}`,
    },
    { says: 'Clear up.', request: 'DELETE /guide-mapping' },
  ],
};

export const fullText: Chapter = {
  name: 'text',
  title: 'Full text',
  about: 'Queries find documents and score them: the best match comes first.',
  steps: [
    {
      says: 'Some titles.',
      request: `POST /guide-text/book/_bulk?refresh=true
{"index": {"_id": "1"}}
{"title": "The quick brown fox", "text": "A fox that is quick and brown jumps"}
{"index": {"_id": "2"}}
{"title": "Quick foxes are brown", "text": "They leap over lazy dogs in summer"}
{"index": {"_id": "3"}}
{"title": "Brown bears", "text": "The fox hides from a brown bear"}`,
    },
    {
      says: 'Any of the words will do; more of them score higher.',
      request: `GET /guide-text/_search
{
  "query": {
    "match": {"title": "quick brown fox"}
  }
}`,
    },
    {
      says: 'All words must be there.',
      request: `GET /guide-text/_search
{
  "query": {
    "match": {
      "title": {"query": "quick brown", "operator": "and"}
    }
  }
}`,
    },
    {
      says: 'Words in their order, with at most one other between them.',
      request: `GET /guide-text/_search
{
  "query": {
    "match_phrase": {
      "text": {"query": "quick brown", "slop": 1}
    }
  }
}`,
    },
    {
      says: 'Several fields, the title counting twice, and the matches marked.',
      request: `GET /guide-text/_search
{
  "query": {
    "multi_match": {
      "query": "brown fox",
      "fields": ["title^2", "text"]
    }
  },
  "highlight": {
    "fields": {"title": {}, "text": {}}
  }
}`,
    },
    {
      says: 'A word with a mistake in it.',
      request: `GET /guide-text/_search
{
  "query": {
    "match": {
      "title": {"query": "quik", "fuzziness": "AUTO"}
    }
  }
}`,
    },
    {
      says: 'Combine: must, should, must not.',
      request: `GET /guide-text/_search
{
  "query": {
    "bool": {
      "must": [{"match": {"title": "brown"}}],
      "should": [{"match": {"text": "fox"}}],
      "must_not": [{"match": {"title": "bears"}}]
    }
  },
  "explain": true
}`,
    },
    { says: 'Clear up.', request: 'DELETE /guide-text' },
  ],
};

const PRODUCTS = `POST /INDEX/product/_bulk?refresh=true
{"index": {"_id": "1"}}
{"name": "apple", "tags": ["red", "fruit"], "price": 20, "sold": "2014-01-05"}
{"index": {"_id": "2"}}
{"name": "pear", "tags": ["green", "fruit"], "price": 30, "sold": "2014-02-11"}
{"index": {"_id": "3"}}
{"name": "leek", "tags": ["green"], "price": 10}`;

export const filters: Chapter = {
  name: 'filters',
  title: 'Filters',
  about: 'A filter says yes or no, and does not score. It is fast, and its result is kept.',
  steps: [
    { says: 'Some products.', request: PRODUCTS.replace('INDEX', 'guide-filters') },
    {
      says: 'An exact value.',
      request: `GET /guide-filters/_search
{
  "query": {
    "filtered": {
      "filter": {"term": {"price": 20}}
    }
  }
}`,
    },
    {
      says: 'One of several values, within a range.',
      request: `GET /guide-filters/_search
{
  "query": {
    "filtered": {
      "filter": {
        "bool": {
          "must": [
            {"terms": {"tags": ["red", "green"]}},
            {"range": {"price": {"gte": 15, "lt": 40}}}
          ]
        }
      }
    }
  }
}`,
    },
    {
      says: 'A range of dates can be reckoned from another date.',
      request: `GET /guide-filters/_search
{
  "query": {
    "filtered": {
      "filter": {
        "range": {"sold": {"gt": "2014-01-01", "lt": "2014-01-01||+1M"}}
      }
    }
  }
}`,
    },
    {
      says: 'Documents without a value.',
      request: `GET /guide-filters/_search
{
  "query": {
    "filtered": {
      "filter": {"missing": {"field": "sold"}}
    }
  }
}`,
    },
    {
      says: 'A query that scores, and a filter that narrows it.',
      request: `GET /guide-filters/_search
{
  "query": {
    "filtered": {
      "query": {"match": {"tags": "fruit"}},
      "filter": {"range": {"price": {"lte": 25}}}
    }
  }
}`,
    },
    { says: 'Clear up.', request: 'DELETE /guide-filters' },
  ],
};

export const sorting: Chapter = {
  name: 'sorting',
  title: 'Sorting and pages',
  about: 'Hits come by their score unless an order is asked for. Pages are cut with from and size.',
  steps: [
    { says: 'Some products.', request: PRODUCTS.replace('INDEX', 'guide-sorting') },
    {
      says: 'The dearest first; what has no value last.',
      request: `GET /guide-sorting/_search
{
  "sort": [
    {"price": "desc"},
    {"sold": {"order": "asc", "missing": "_last"}}
  ]
}`,
    },
    { says: 'The same in the address.', request: 'GET /guide-sorting/_search?sort=price:desc&size=2' },
    {
      says: 'Of several values in one document, the mode says which one counts.',
      request: `GET /guide-sorting/_search
{
  "sort": {"tags": {"order": "asc", "mode": "min"}}
}`,
    },
    {
      says: 'The second page of one, with two fields of the source.',
      request: `GET /guide-sorting/_search
{
  "from": 1,
  "size": 1,
  "sort": "price",
  "_source": ["name", "price"]
}`,
    },
    { says: 'Clear up.', request: 'DELETE /guide-sorting' },
  ],
};
