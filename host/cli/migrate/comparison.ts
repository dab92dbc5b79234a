/** Compares what was read from the old server with what the new one has: counts and checksums, type by type. */
import { type ReadingOptions, readDocuments } from '../remote/reading.js';
import type { Requests } from '../remote/requests.js';
import { textTable } from '../terminal/textTable.js';
import { type Part, movedHit } from './part.js';
import type { Tally } from './tally.js';
import { unlikeDocuments } from './unlike.js';

/** Of a type, on both sides. */
export interface TypeComparison {
  index: string;
  type: string;
  there: number;
  here: number;
  isSame: boolean;
}

type Reading = ReadingOptions & { size: number };

/** What a place has. */
export async function tallyOf(
  requests: Requests,
  { here }: Part,
  { size, ...reading }: Reading,
  tally: Tally,
): Promise<void> {
  const scrolled = { ...here, size, withoutSource: () => {} };
  for await (const page of readDocuments(requests, scrolled, reading))
    for (const hit of page) tally.add(movedHit(hit, here));
}

/** Type by type; a type that is on one side alone, too. */
export function compared(index: string, there: Tally, here: Tally): TypeComparison[] {
  return [...new Set([...there.types, ...here.types])].sort().map((type) => {
    const [old, own] = [there.of(type), here.of(type)];
    return {
      index,
      type,
      there: old.documents,
      here: own.documents,
      isSame: old.documents === own.documents && old.checksum === own.checksum,
    };
  });
}

export function comparisonText(rows: readonly TypeComparison[]): string {
  const cells = rows.map(({ index, type, there, here, isSame }) => [
    index,
    type,
    there.toLocaleString('en'),
    here.toLocaleString('en'),
    isSame ? 'same' : there === here ? 'CONTENTS DIFFER' : 'COUNTS DIFFER',
  ]);
  return textTable(['index', 'type', 'there', 'here', 'ids, versions and sources'], cells, ['there', 'here']);
}

/** The first documents that aren't the same, in words; those whose sources differ and nothing else aren't found. */
export async function examplesOf(
  from: Requests,
  to: Requests,
  { there, here, reading }: Part,
  { size, ...options }: Reading,
  most: number,
): Promise<string[]> {
  const [old, own] = [
    { requests: from, place: there },
    { requests: to, place: here },
  ];
  const lines: string[] = [];
  const nameOf = (metadata: ReadonlyMap<string, string>) =>
    [here.index, ...['_type', '_id'].map((name) => JSON.parse(metadata.get(name) ?? '""') as string)].join(
      '/',
    );
  for await (const { hit, version } of unlikeDocuments(old, own, { ...reading, size }, options)) {
    if (lines.length >= most) break;
    const name = nameOf(movedHit(hit, here).metadata);
    const versions = `version ${hit.metadata.get('_version')} there, ${version} here`;
    lines.push(version === undefined ? `${name} is not here` : `${name}: ${versions}`);
  }
  for await (const { hit, version } of unlikeDocuments(own, old, { size }, options)) {
    if (lines.length >= most) break;
    if (version === undefined) lines.push(`${nameOf(hit.metadata)} is only here: --delete deletes such`);
  }
  return lines;
}
