/** The documents of the scenario. */
export const DOCUMENTS = [
  {
    id: '1',
    title: 'The jumping flea',
    body: 'A flea jumps more than fifty times its own length.',
    tag: 'odd',
    number: 1,
  },
  {
    id: '2',
    title: 'Resilin',
    body: 'Resilin is an elastic protein: it stores the energy of the jump of a flea.',
    tag: 'even',
    number: 2,
  },
  {
    id: '3',
    title: 'Elastic energy',
    body: 'Energy stored in an elastic body is given back when the body is let go.',
    tag: 'odd',
    number: 3,
  },
  {
    id: '4',
    title: 'Springs',
    body: 'A spring stores energy. A stiff spring stores more energy than a soft spring.',
    tag: 'even',
    number: 4,
  },
  {
    id: '5',
    title: 'Dragonflies',
    body: 'In the wings of dragonflies resilin makes joints elastic.',
    tag: 'odd',
    number: 5,
  },
  {
    id: '6',
    title: 'Überall',
    body: 'Elastische Eiweiße: naïve Käfer, 弾性タンパク質, and the jump of a flea.',
    tag: 'even',
    number: 6,
  },
];

export const MAPPINGS = {
  doc: {
    _all: { enabled: false },
    properties: {
      title: { type: 'string' },
      body: { type: 'string' },
      tag: { type: 'string', index: 'not_analyzed' },
      number: { type: 'integer' },
    },
  },
};

/** Searches, and what Lucene 4.10.4 (`oracle search`, one shard) answers: hits as `id:bits of the score`. */
export const SEARCHES = [
  {
    name: 'term',
    query: {
      match: {
        body: 'elastic',
      },
    },
    total: 3,
    hits: ['5:3ee0dfda', '2:3eb3e648', '3:3eb3e648'],
  },
  {
    name: 'union',
    query: {
      match: {
        body: 'elastic energy flea',
      },
    },
    total: 6,
    hits: ['2:3f1bcc2d', '3:3e8a7c9a', '4:3dc3d98c', '1:3dad1bc0', '5:3dad1bc0', '6:3d8a7c9a'],
  },
  {
    name: 'intersection',
    query: {
      match: {
        body: {
          query: 'elastic energy',
          operator: 'and',
        },
      },
    },
    total: 2,
    hits: ['2:3efe6a98', '3:3efe6a98'],
  },
  {
    name: 'minimum',
    query: {
      match: {
        body: {
          query: 'elastic energy flea jump',
          minimum_should_match: 3,
        },
      },
    },
    total: 1,
    hits: ['2:3f3dc6c2'],
  },
  {
    name: 'phrase',
    query: {
      match_phrase: {
        body: 'jump of a flea',
      },
    },
    total: 2,
    hits: ['2:3fb5f6fb', '6:3fb5f6fb'],
  },
  {
    name: 'slop',
    query: {
      match_phrase: {
        body: {
          query: 'energy spring',
          slop: 6,
        },
      },
    },
    total: 1,
    hits: ['4:3f63f7cf'],
  },
  {
    name: 'unicode',
    query: {
      match: {
        body: 'EIWEISSE KÄFER 弾',
      },
    },
    total: 1,
    hits: ['6:3eb878ba'],
  },
  {
    name: 'bool',
    query: {
      bool: {
        must: [
          {
            match: {
              body: 'energy',
            },
          },
        ],
        should: [
          {
            match_phrase: {
              body: 'elastic body',
            },
          },
          {
            term: {
              title: 'springs',
            },
          },
        ],
        must_not: [
          {
            term: {
              tag: 'none',
            },
          },
        ],
      },
    },
    total: 3,
    hits: ['4:3f499b23', '3:3f0ccba7', '2:3d1c1801'],
  },
  {
    name: 'filtered',
    query: {
      filtered: {
        query: {
          match: {
            body: 'elastic flea',
          },
        },
        filter: {
          range: {
            number: {
              gte: 2,
              lt: 6,
            },
          },
        },
      },
    },
    total: 3,
    hits: ['2:3efe6a98', '5:3e1f029f', '3:3dfe6a98'],
  },
  {
    name: 'fields',
    query: {
      multi_match: {
        query: 'elastic resilin',
        fields: ['title^2', 'body'],
      },
    },
    total: 3,
    hits: ['2:3f3df1d8', '3:3eed6e4e', '5:3e8284f0'],
  },
  {
    name: 'nothing',
    query: {
      match: {
        body: 'nosuchword',
      },
    },
    total: 0,
    hits: [],
  },
];
