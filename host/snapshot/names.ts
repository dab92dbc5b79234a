/** Names of snapshots, and the indices of one that a request means. */
import { ElasticsearchError, indexMissing } from '../errors.js';
import { wildcard } from '../text/wildcard.js';
import { bytesOver } from '../storage/records.js';

const FORBIDDEN = /[\\/*?"<>| ,]/;
/** Names of files are short, and each byte may take three. */
const MAX_BYTES = 80;

/** Refuses a name that no snapshot can have. */
export function checkSnapshotName(repository: string, name: string): void {
  const problem = problemOf(name);
  if (problem !== undefined) throw invalidSnapshotName(repository, name, problem);
}

function problemOf(name: string): string | undefined {
  if (name === '') return 'cannot be empty';
  if (name.includes(' ')) return 'must not contain whitespace';
  if (name.includes(',')) return "must not contain ','";
  if (name.includes('#')) return "must not contain '#'";
  if (name.startsWith('_')) return "must not start with '_'";
  if (name !== name.toLowerCase()) return 'must be lowercase';
  if (FORBIDDEN.test(name))
    return 'must not contain the following characters [\\, /, *, ?, ", <, >, |,  , ,]';
  return bytesOver(MAX_BYTES, name) > 0 ? `must not be longer than ${MAX_BYTES} bytes` : undefined;
}

/** 400. */
export function invalidSnapshotName(repository: string, name: string, problem: string): ElasticsearchError {
  const detail = `[${repository}:${name}] Invalid snapshot name [${name}], ${problem}`;
  return new ElasticsearchError('InvalidSnapshotNameException', detail);
}

/** The indices of a list that names, patterns and exclusions mean, in the order of the list. */
export function chosenIndices(
  available: readonly string[],
  wanted: readonly string[],
  options: { ignoreUnavailable: boolean; allowNoIndices: boolean },
): string[] {
  if (wanted.length === 0 || (wanted.length === 1 && wanted[0] === '_all')) return [...available];
  const chosen = new Set<string>(
    wanted[0]!.startsWith('-') && !available.includes(wanted[0]!) ? available : [],
  );
  for (const each of wanted) {
    if (available.includes(each)) {
      chosen.add(each);
      continue;
    }
    const signed = /^[+-]/.test(each);
    const name = signed ? each.slice(1) : each;
    const found = name.includes('*')
      ? available.filter(wildcard(name))
      : available.filter((index) => index === name);
    const may = name.includes('*') ? options.allowNoIndices : options.ignoreUnavailable;
    if (found.length === 0 && !may) throw indexMissing(name);
    for (const index of found) {
      if (each.startsWith('-')) chosen.delete(index);
      else chosen.add(index);
    }
  }
  return available.filter((index) => chosen.has(index));
}
