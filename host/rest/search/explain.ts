/** `_explain`: why a document matches a query, or why it doesn't. */

import { queryOf } from '../../engine/counting.js';
import type { Engine } from '../../engine/engine.js';
import { queryParsing, validationFailed } from '../../errors.js';
import { Passes } from '../../passes.js';
import { explainKeys } from '../../search/explaining.js';
import { type CompiledSearch, compileSearch } from '../../searchBody/compile.js';
import { readElsewhere } from '../../shard/searchedShard.js';
import { uidOf } from '../../storage/records.js';
import { bodyText } from '../body.js';
import { fieldsOf } from '../documents/documentFields.js';
import { type EndpointGroup, INDICES_OPTIONS, QUERY_STRING, SOURCE_FILTER } from '../endpoint.js';
import { json, type RestResponse, type RoutedRequest } from '../request.js';
import { explanationJson } from './hit.js';
import { list, queryString, readBody, readPlace } from './searchCall.js';
import { shownSource, sourceParams } from './sourceParams.js';

export const explainEndpoints: EndpointGroup = {
  name: 'Explain',
  purpose: 'Why a document matches a query and scores as it does.',
  tag: 'common',
  endpoints: [
    {
      methods: ['GET', 'POST'],
      paths: ['/{index}/{type}/{id}/_explain'],
      privilege: 'read',
      action: 'indices:data/read/explain',
      pool: 'get',
      parameters: [...QUERY_STRING, 'routing', 'fields', ...SOURCE_FILTER, 'parent'],
      ignored: ['preference', 'search_type', 'scroll', ...INDICES_OPTIONS],
      readOnly: true,
      body: 'json',
      handler: explain,
    },
  ],
};

async function explain(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { path, query } = request;
  const [type, id] = [path.type!, path.id!];
  const text = bodyText(request);
  const uri = text === '' ? queryString(query) : undefined;
  if (text === '' && uri === undefined) throw validationFailed('source is missing');
  const { index, routing } = engine.readTarget(path.index!, query.get('routing'));
  const { names } = readPlace(path, query);
  const [target] = engine.targets(path.index, routing === undefined ? undefined : [routing], names);
  const filter = target?.filter;
  const shard = index.shardOf(type, id, routing).searched();
  const place = { _index: index.name, _type: type, _id: id };
  const keyNow = () => shard.documents.visibleKey(uidOf(type, id));
  const missing = () => json(request, 404, { ...place, matched: false });
  const isElsewhere = shard.elsewhere !== undefined;
  const context = { ...engine.context(index, { filter }), types: [type] };
  const compiled = (query: unknown) => compileSearch({ query, explain: true }, context);
  let search: CompiledSearch | undefined;
  const release = shard.hold();
  try {
    if ((isElsewhere ? await readElsewhere([shard], request.limit, keyNow) : keyNow()) === undefined)
      return missing();
    const given = uri === undefined ? readBody(text, {}, request.read) : { body: { query: uri } };
    await new Passes(request.limit).run(() =>
      queryOf(given, index.name, (query) => {
        search = compiled(query);
      }),
    );
    if (search === undefined) throw queryParsing(index.name, 'Required query is missing');
    const asked = search as CompiledSearch;
    // Others may have had a turn.
    const key = keyNow();
    if (key === undefined) return missing();
    const document = isElsewhere
      ? await readElsewhere([shard], request.limit, () => shard.documents.byKey(key))
      : shard.documents.visible(type, id);
    if (document === undefined) return missing();
    const [found] = await explainKeys({ index, shard, search: asked }, [key], request.limit);
    if (found === undefined) return missing();
    return json(request, 200, {
      ...place,
      matched: found.matched,
      explanation: explanationJson(found),
      get: shown(request, index.visible(document), index.model),
    });
  } finally {
    release();
  }
}

/** The parts of the document that are asked for. */
function shown(
  { query }: RoutedRequest,
  document: Parameters<typeof fieldsOf>[1],
  model: Parameters<typeof fieldsOf>[2],
) {
  const source = sourceParams(query);
  const fields = query.has('fields') ? list(query.get('fields')) : undefined;
  if (source?.enabled !== true && fields === undefined) return undefined;
  return {
    found: true,
    _source: source === undefined ? undefined : shownSource(document.source, source),
    fields:
      fields === undefined ? undefined : fieldsOf(fields, document, model, { by: 'id', refreshed: true }),
  };
}
