/** What moved between the hits of two searches. */

/** A hit of either search. */
export interface Ranked {
  key: string;
  /** From 1. */
  rank: number;
  /** As the server wrote it. */
  score: string | undefined;
}

/** How a document stands in both. */
export interface RankChange<Hit extends Ranked> {
  key: string;
  kind: 'same' | 'up' | 'down' | 'new' | 'gone';
  /** Ranks that it has won or lost; 0 where it is only in one. */
  by: number;
  first: Hit | undefined;
  second: Hit | undefined;
  /** The second score less the first one; undefined where one has none. */
  scoreDifference: number | undefined;
}

/** In the order of the second search; those that are only in the first one stand where they were. */
export function rankChanges<Hit extends Ranked>(
  first: readonly Hit[],
  second: readonly Hit[],
): RankChange<Hit>[] {
  const before = new Map(first.map((hit) => [hit.key, hit]));
  const after = new Set(second.map(({ key }) => key));
  const found = second.map((hit) => change(before.get(hit.key), hit));
  for (const hit of first) {
    if (after.has(hit.key)) continue;
    const at = found.findIndex((each) => each.second === undefined || each.second.rank > hit.rank);
    found.splice(placeOf(found, at, hit.rank), 0, change(hit, undefined));
  }
  return found;
}

/** Among those that are gone already they stay in order. */
function placeOf(found: readonly RankChange<Ranked>[], at: number, rank: number): number {
  let place = at < 0 ? found.length : at;
  while (place < found.length && found[place]!.second === undefined && found[place]!.first!.rank < rank)
    place++;
  return place;
}

function change<Hit extends Ranked>(first: Hit | undefined, second: Hit | undefined): RankChange<Hit> {
  const key = (first ?? second)!.key;
  const hasBoth = first?.score !== undefined && second?.score !== undefined;
  const scoreDifference = hasBoth ? Number(second.score) - Number(first.score) : undefined;
  if (first === undefined || second === undefined)
    return { key, kind: first === undefined ? 'new' : 'gone', by: 0, first, second, scoreDifference };
  const by = first.rank - second.rank;
  return { key, kind: by === 0 ? 'same' : by > 0 ? 'up' : 'down', by, first, second, scoreDifference };
}

const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];

/** A rank in words: `third`, `12th`. */
export function ordinal(rank: number): string {
  const word = ORDINALS[rank - 1];
  if (word !== undefined) return word;
  const [tens, ones] = [rank % 100, rank % 10];
  const isTeen = tens > 10 && tens < 14;
  return `${rank}${isTeen ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[ones] ?? 'th')}`;
}
