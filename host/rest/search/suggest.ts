/** Suggestions without a search. */

import { hashOrder } from '../../compat17/javaHash.js';
import type { Engine } from '../../engine/engine.js';
import { illegalArgument } from '../../errors.js';
import type { Suggestions } from '../../search/suggesting.js';
import type { Entry, Option } from '../../suggest/context.js';
import { putOwn } from '../../ownNames.js';
import { inTurnsIfLong, type Turns, type WorkLimit } from '../../workLimit.js';
import { bodyText } from '../body.js';
import { broadcastCounts, worstStatus } from '../broadcast.js';
import { type EndpointGroup, INDICES_OPTIONS, ofIndices } from '../endpoint.js';
import { Float, type Json, Raw } from '../json.js';
import { json, type RestResponse, type RoutedRequest } from '../request.js';
import { copyChoice, readBody, readPlace } from './searchCall.js';

export const suggestEndpoints: EndpointGroup = {
  name: 'Suggest',
  purpose: 'Words, phrases and completions that may be meant.',
  tag: 'common',
  endpoints: [
    {
      methods: ['GET', 'POST'],
      paths: ofIndices('/_suggest'),
      privilege: 'read',
      action: 'indices:data/read/suggest',
      pool: 'suggest',
      parameters: ['routing', 'preference', ...INDICES_OPTIONS],
      ignored: ['search_type', 'scroll'],
      readOnly: true,
      body: 'json',
      handler: suggest,
    },
  ],
};

async function suggest(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const text = bodyText(request);
  if (text === '') throw illegalArgument('no content or source provided to execute suggestion');
  const { index, names, routing, onlyShards, preference } = readPlace(request.path, request.query);
  const targets = engine.targets(index, routing, names);
  const { suggestions, total, failures } = await engine.suggest(
    targets,
    readBody(text, {}, request.read),
    request.limit,
    onlyShards,
    copyChoice(engine, preference),
  );
  return json(request, worstStatus(total, failures), {
    _shards: broadcastCounts(total, failures),
    ...(await inTurnsIfLong(suggestionsJson(suggestions, request.limit), request.limit)),
  });
}

/** Steps of a work limit that showing a suggestion takes. */
const SHOWN_STEPS = 32;

/** Suggestions as answers show them, in the order in which Java tells their names; in turns, `limit` counts the steps. */
export function* suggestionsJson(suggestions: Suggestions, limit: WorkLimit): Turns<Record<string, Json>> {
  const shown: Record<string, Json> = {};
  for (const name of hashOrder(suggestions.keys())) {
    if (limit.isDue(SHOWN_STEPS)) yield;
    putOwn<Json>(shown, name, suggestions.get(name)!.map(entryJson));
  }
  return shown;
}

function entryJson({ text, offset, length, options }: Entry): Json {
  return { text, offset, length, options: options.map(optionJson) };
}

const utf8 = new TextEncoder();

function optionJson({ text, highlighted, score, freq, payload, collateMatch }: Option): Json {
  return {
    text,
    highlighted,
    score: new Float(score),
    freq,
    payload: payload === undefined ? undefined : new Raw(utf8.encode(payload)),
    collate_match: collateMatch,
  };
}
