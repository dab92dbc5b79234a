/** `_validate/query`: whether a query is one, and how it is understood. */

import type { Engine } from '../../engine/engine.js';
import { ElasticsearchError } from '../../errors.js';
import { Passes } from '../../passes.js';
import { unreadableText, type Validation, validateQuery } from '../../query/validate.js';
import { rewrittenText } from '../../search/explaining.js';
import { bodyText } from '../body.js';
import { type EndpointGroup, INDICES_OPTIONS, ofTypes, QUERY_STRING } from '../endpoint.js';
import { flag, json, type RestResponse, type RoutedRequest } from '../request.js';
import { queryString, readBody, readPlace } from './searchCall.js';

export const validateEndpoints: EndpointGroup = {
  name: 'Validate',
  purpose: 'Whether a query can be, and what it comes to.',
  tag: 'common',
  endpoints: [
    {
      methods: ['GET', 'POST'],
      paths: ofTypes('/_validate/query'),
      privilege: 'read',
      action: 'indices:admin/validate/query',
      pool: 'search',
      parameters: [...QUERY_STRING, 'routing', 'explain', 'rewrite', ...INDICES_OPTIONS],
      ignored: ['operation_threading', 'preference', 'search_type', 'scroll'],
      readOnly: true,
      body: 'json',
      handler: validate,
    },
  ],
};

async function validate(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { query } = request;
  const { index, names, types, routing } = readPlace(request.path, query);
  const rewritten = flag(query, 'rewrite');
  const text = bodyText(request);
  const uri = text === '' ? queryString(query) : undefined;
  const { body, unreadable } =
    text === '' ? { body: uri === undefined ? undefined : { query: uri } } : readBody(text, {}, request.read);
  const shut = engine.resolve(index, { ...names, forbidClosed: false }).find(({ closed }) => closed);
  if (shut !== undefined && index?.split(',').includes(shut.name))
    throw new ElasticsearchError('ClusterBlockException', 'blocked by: [FORBIDDEN/4/index closed];');
  // One shard of each index is asked.
  const targets = engine.targets(index, routing, names);
  const answers = await Promise.all(
    targets.map(async (target) => {
      const { name, shards } = target.index;
      const context = engine.context(target.index, { types, filter: target.filter });
      const answer: Validation =
        unreadable === undefined
          ? await new Passes(request.limit).run(() => validateQuery(body, context))
          : { valid: false, error: unreadableText(unreadable, name) };
      if (!answer.valid) return { index: name, ...answer };
      if (!rewritten) return { index: name, valid: true, explanation: answer.explanation };
      try {
        const explanation = await rewrittenText(
          target.index,
          shards[0]!.searched(),
          answer.query,
          request.limit,
        );
        return { index: name, valid: true, explanation };
      } catch (e) {
        return { index: name, valid: false, error: unreadableText(e, name) };
      }
    }),
  );
  return json(request, 200, {
    valid: answers.every(({ valid }) => valid),
    _shards: { total: answers.length, successful: answers.length, failed: 0 },
    explanations: flag(query, 'explain') || rewritten ? answers : undefined,
  });
}
