/** Aggregations, and places. */
import type { Chapter } from './chapter';

export const aggregations: Chapter = {
  name: 'aggregations',
  title: 'Aggregations',
  about: 'Buckets group the documents that a query finds, metrics compute a number of each group.',
  steps: [
    {
      says: 'Cars that were sold.',
      request: `POST /guide-cars/sale/_bulk?refresh=true
{"index": {}}
{"price": 10000, "color": "red", "make": "honda", "sold": "2014-10-28"}
{"index": {}}
{"price": 20000, "color": "red", "make": "honda", "sold": "2014-11-05"}
{"index": {}}
{"price": 30000, "color": "green", "make": "ford", "sold": "2014-05-18"}
{"index": {}}
{"price": 15000, "color": "blue", "make": "toyota", "sold": "2014-07-02"}
{"index": {}}
{"price": 12000, "color": "green", "make": "toyota", "sold": "2014-08-19"}
{"index": {}}
{"price": 80000, "color": "red", "make": "bmw", "sold": "2014-01-01"}`,
    },
    {
      says: 'How many of each colour, and at which mean price.',
      request: `GET /guide-cars/_search?search_type=count
{
  "aggs": {
    "colors": {
      "terms": {"field": "color"},
      "aggs": {
        "mean_price": {"avg": {"field": "price"}}
      }
    }
  }
}`,
    },
    {
      says: 'Buckets in buckets: the makes of each colour.',
      request: `GET /guide-cars/_search?search_type=count
{
  "aggs": {
    "colors": {
      "terms": {"field": "color"},
      "aggs": {
        "makes": {"terms": {"field": "make"}}
      }
    }
  }
}`,
    },
    {
      says: 'By price, in steps of 20,000.',
      request: `GET /guide-cars/_search?search_type=count
{
  "aggs": {
    "prices": {
      "histogram": {"field": "price", "interval": 20000},
      "aggs": {
        "revenue": {"sum": {"field": "price"}}
      }
    }
  }
}`,
    },
    {
      says: 'By month, empty months too.',
      request: `GET /guide-cars/_search?search_type=count
{
  "aggs": {
    "sales": {
      "date_histogram": {
        "field": "sold",
        "interval": "month",
        "format": "yyyy-MM",
        "min_doc_count": 0
      }
    }
  }
}`,
    },
    {
      says: 'Of Hondas only, beside the mean price of all cars.',
      request: `GET /guide-cars/_search?search_type=count
{
  "query": {"match": {"make": "honda"}},
  "aggs": {
    "mean_price": {"avg": {"field": "price"}},
    "all": {
      "global": {},
      "aggs": {
        "mean_price": {"avg": {"field": "price"}}
      }
    }
  }
}`,
    },
    {
      says: 'How many different colours, and which prices half and most cars stay below.',
      request: `GET /guide-cars/_search?search_type=count
{
  "aggs": {
    "colors": {"cardinality": {"field": "color"}},
    "prices": {"percentiles": {"field": "price", "percents": [50, 95]}}
  }
}`,
    },
    { says: 'Clear up.', request: 'DELETE /guide-cars' },
  ],
};

export const geo: Chapter = {
  name: 'geo',
  title: 'Places',
  about:
    'Points on the earth: within a box, within a distance, sorted by distance, counted by cells and rings.',
  steps: [
    {
      says: 'A field for points.',
      request: `PUT /guide-places
{
  "mappings": {
    "restaurant": {
      "properties": {
        "name": {"type": "string"},
        "location": {"type": "geo_point"}
      }
    }
  }
}`,
    },
    {
      says: 'Some restaurants in New York.',
      request: `POST /guide-places/restaurant/_bulk?refresh=true
{"index": {"_id": "1"}}
{"name": "Chipotle Mexican Grill", "location": "40.715,-74.011"}
{"index": {"_id": "2"}}
{"name": "Pala Pizza", "location": {"lat": 40.722, "lon": -73.989}}
{"index": {"_id": "3"}}
{"name": "Mini Munchies Pizza", "location": [-73.983, 40.719]}`,
    },
    {
      says: 'Within a box.',
      request: `GET /guide-places/_search
{
  "query": {
    "filtered": {
      "filter": {
        "geo_bounding_box": {
          "location": {
            "top_left": {"lat": 40.8, "lon": -74.0},
            "bottom_right": {"lat": 40.7, "lon": -73.0}
          }
        }
      }
    }
  }
}`,
    },
    {
      says: 'Within a kilometre, the nearest first.',
      request: `GET /guide-places/_search
{
  "query": {
    "filtered": {
      "filter": {
        "geo_distance": {"distance": "1km", "location": "40.715,-73.988"}
      }
    }
  },
  "sort": [
    {
      "_geo_distance": {
        "location": "40.715,-73.988",
        "order": "asc",
        "unit": "km"
      }
    }
  ]
}`,
    },
    {
      says: 'Counted by cells of a grid.',
      request: `GET /guide-places/_search?search_type=count
{
  "aggs": {
    "cells": {"geohash_grid": {"field": "location", "precision": 5}}
  }
}`,
    },
    {
      says: 'Counted by distance from a point.',
      request: `GET /guide-places/_search?search_type=count
{
  "aggs": {
    "rings": {
      "geo_distance": {
        "field": "location",
        "origin": "40.712,-73.988",
        "unit": "km",
        "ranges": [{"to": 1}, {"from": 1, "to": 5}]
      }
    }
  }
}`,
    },
    { says: 'Clear up.', request: 'DELETE /guide-places' },
  ],
};
