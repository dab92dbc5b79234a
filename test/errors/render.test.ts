import { describe, expect, it } from 'vitest';
import {
  documentAlreadyExists,
  ElasticsearchError,
  indexCreationFailed,
  indexMissing,
  jsonParse,
  mapperParsing,
  queryParsing,
  searchParse,
  searchPhaseFailed,
  toElasticsearchError,
  validationFailed,
} from '../../host/errors.js';

describe('errors render as 1.7 prints them', () => {
  it('a lone one is its name and message', () => {
    const error = indexMissing('nope');
    expect([error.render(), error.status]).toEqual(['IndexMissingException[[nope] missing]', 404]);
  });

  it('a chain ends in a semicolon and a blank', () => {
    const error = mapperParsing('failed to parse', jsonParse('broken'));
    expect(error.render()).toBe(
      'MapperParsingException[failed to parse]; nested: JsonParseException[broken]; ',
    );
    expect(error.status).toBe(400);
  });

  it('a missing message prints as null when alone and as nothing in a chain', () => {
    expect(new ElasticsearchError('A', null).render()).toBe('A[null]');
    expect(new ElasticsearchError('A', null, { nested: new ElasticsearchError('B', 'b') }).render()).toBe(
      'A; nested: B[b]; ',
    );
  });

  it('an index that could not be made has the status of the cause', () => {
    expect(indexCreationFailed('a', new ElasticsearchError('X', 'x')).status).toBe(500);
    expect(indexCreationFailed('a', indexMissing('b')).status).toBe(404);
  });

  it('problems of a request are numbered', () => {
    expect(validationFailed('first', 'second').detail).toBe('Validation Failed: 1: first;2: second;');
  });

  it('a failed search names every shard, and has the largest status', () => {
    const cause = queryParsing('a', 'No query registered for [x]');
    const error = searchParse('a', 0, 'from[-1],size[-1]', 'Failed to parse source [{}]', cause);
    const failed = searchPhaseFailed('query_fetch', [{ node: 'N', index: 'a', shard: 0, error }]);
    expect(failed.render()).toBe(
      'SearchPhaseExecutionException[Failed to execute phase [query_fetch], all shards failed; shardFailures {[N][a][0]: SearchParseException[[a][0]: from[-1],size[-1]: Parse Failure [Failed to parse source [{}]]]; nested: QueryParsingException[[a] No query registered for [x]]; }]',
    );
    expect(failed.status).toBe(400);
  });

  it('strangers become a 500 under their own name', () => {
    const error = toElasticsearchError(new TypeError('odd'));
    expect([error.render(), error.status]).toEqual(['TypeError[odd]', 500]);
    const known = documentAlreadyExists({ index: 'a', shard: 2, type: 't', id: '1' });
    expect(toElasticsearchError(known)).toBe(known);
    expect(known.render()).toBe('DocumentAlreadyExistsException[[a][2] [t][1]: document already exists]');
  });
});
