/** Asks an engine for highlights. */

import type { Resilin } from '../../host/index.js';

/** A text of several sentences. */
export const HARBOUR =
  'The harbour was quiet. Two boats came in with the morning tide, and the harbour master wrote their names in his ' +
  'book. Nobody in the harbour remembered a winter as mild as this one! Later that day the wind turned; the boats ' +
  'stayed in the harbour for a week, and the harbour filled with talk.';

/** The highlights of a document for a query, or the error of the search. */
export async function highlights(
  resilin: Resilin,
  id: string,
  query: unknown,
  highlight: unknown,
): Promise<unknown> {
  const filtered = { filtered: { query, filter: { ids: { values: [id] } } } };
  const { body } = await resilin.request('POST', '/h/_search', { query: filtered, highlight });
  const { hits, error } = body as { hits?: { hits: { highlight?: unknown }[] }; error?: string };
  return error ?? hits?.hits[0]?.highlight;
}
