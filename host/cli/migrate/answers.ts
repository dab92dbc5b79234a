/**
 * Answers of two servers to the same searches: totals, hits in their order, and scores. Hits with equal scores (or sort values) may stand in any
 * order among themselves, since that is the order in which they were written; of the last of them, only as many are compared as were asked for.
 */
import type { NamedQuery } from '../queries/queryFile.js';
import { errorOf, type Requests } from '../remote/requests.js';
import { textTable } from '../terminal/textTable.js';

/** Relative; scores are floats, which servers add up in other orders. */
const TOLERANCE = 1e-5;

interface AnsweredHit {
  _index: string;
  _type: string;
  _id: string;
  _score: number | null;
  sort?: unknown;
}

interface Answered {
  error: string | undefined;
  total: number;
  hits: AnsweredHit[];
}

export interface AnswerComparison {
  name: string;
  there: string;
  here: string;
  /** Undefined where both say the same. */
  difference: string | undefined;
}

/** Asks both. */
export async function compareAnswers(
  from: Requests,
  to: Requests,
  queries: readonly NamedQuery[],
  stop: AbortSignal,
): Promise<AnswerComparison[]> {
  const rows: AnswerComparison[] = [];
  for (const { name, path, body } of queries) {
    if (stop.aborted) break;
    const [there, here] = await Promise.all(
      [from, to].map(async (requests) => answered(await requests.send('POST', path, body))),
    );
    const text = ({ error, total }: Answered) => (error === undefined ? total.toLocaleString('en') : 'error');
    rows.push({ name, there: text(there!), here: text(here!), difference: differenceOf(there!, here!) });
  }
  return rows;
}

/** Those that differ, if any. */
export function answersText(rows: readonly AnswerComparison[]): string {
  const differing = rows.filter(({ difference }) => difference !== undefined);
  if (differing.length === 0) return `${rows.length} queries are answered alike\n`;
  const cells = differing.map(({ name, there, here, difference }) => [name, there, here, difference!]);
  const table = textTable(['query', 'there', 'here', 'difference'], cells, ['there', 'here']);
  return `${differing.length} of ${rows.length} queries are answered differently:\n\n${table}`;
}

function answered(answer: { status: number; body: Buffer }): Answered {
  const failed = (error: string) => ({ error, total: 0, hits: [] });
  if (answer.status >= 300) return failed(errorOf(answer));
  try {
    const { hits, _shards } = JSON.parse(answer.body.toString()) as {
      hits: Answered;
      _shards?: { failed?: number };
    };
    if (!Array.isArray(hits?.hits)) return failed('no hits');
    const failures = _shards?.failed ?? 0;
    if (failures > 0) return failed(`${failures} shards failed`);
    return { error: undefined, total: hits.total, hits: hits.hits };
  } catch {
    return failed('no JSON');
  }
}

function differenceOf(there: Answered, here: Answered): string | undefined {
  if (there.error !== undefined || here.error !== undefined) {
    // Two refusals are alike, whatever their words.
    if (there.error !== undefined && here.error !== undefined) return undefined;
    return there.error === undefined ? `refused here: ${here.error}` : `refused there: ${there.error}`;
  }
  if (there.total !== here.total) return 'totals';
  if (there.hits.length !== here.hits.length) return `${there.hits.length} hits and ${here.hits.length}`;
  const isCut = there.total > there.hits.length;
  for (let from = 0; from < there.hits.length; ) {
    let to = from + 1;
    while (to < there.hits.length && isTie(there.hits[to - 1]!, there.hits[to]!)) to++;
    const isLastCut = isCut && to === there.hits.length;
    const [olds, owns] = [there.hits.slice(from, to), here.hits.slice(from, to)];
    for (const [i, old] of olds.entries()) {
      const own = owns[i]!;
      if (!isTie(old, own)) {
        const rank = from + i + 1;
        if (nameOf(old) !== nameOf(own)) return `hit ${rank}: ${nameOf(old)} there, ${nameOf(own)} here`;
        return `hit ${rank}, ${nameOf(old)}: ${scoreOf(old)} there, ${scoreOf(own)} here`;
      }
    }
    if (!isLastCut) {
      const names = new Set(owns.map(nameOf));
      const missing = olds.find((hit) => !names.has(nameOf(hit)));
      if (missing !== undefined) {
        const known = new Set(olds.map(nameOf));
        const other = owns.find((hit) => !known.has(nameOf(hit)))!;
        return `hits ${from + 1} to ${to}: ${nameOf(missing)} there, ${nameOf(other)} here`;
      }
    }
    from = to;
  }
  return undefined;
}

/** Whether two hits may stand in any order. */
function isTie(a: AnsweredHit, b: AnsweredHit): boolean {
  if (JSON.stringify(a.sort) !== JSON.stringify(b.sort)) return false;
  if (a._score === null || b._score === null) return a._score === b._score;
  return Math.abs(a._score - b._score) <= TOLERANCE * Math.max(Math.abs(a._score), Math.abs(b._score));
}

const nameOf = ({ _index, _type, _id }: AnsweredHit) => `${_index}/${_type}/${_id}`;
const scoreOf = ({ _score, sort }: AnsweredHit) =>
  sort === undefined ? `score ${_score}` : JSON.stringify(sort);
