/** Requests that take away more than one thing at a time: they are asked about first. */
import { isObject, parseJson } from '../../api/json';

/** Why one should think twice; undefined where there is no reason. */
export function warningOf({
  method,
  path,
  body,
}: {
  method: string;
  path: string;
  body: string | undefined;
}): string | undefined {
  if (method !== 'DELETE') return undefined;
  const [plain = '', query = ''] = path.split('?', 2);
  const parts = plain
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  const [first = ''] = parts;
  if (parts.at(-1) === '_query') {
    const isAll = matchesAll(body) && !/(^|&)(q|source)=/.test(query);
    const everywhere = parts.length === 1 || isEverything(first);
    if (isAll) return `This deletes every document of ${everywhere ? 'every index' : first}.`;
    return everywhere ? 'This deletes documents of every index.' : undefined;
  }
  if (parts.length === 0 || (parts.length === 1 && isEverything(first))) return 'This deletes every index.';
  if (parts.length === 1 && (first.includes('*') || first.includes(',')))
    return `This deletes every index that ${first} stands for.`;
  if (first.startsWith('_')) return undefined;
  // Mappings go with their documents in 1.7.
  if (parts.length === 2 && !parts[1]!.startsWith('_'))
    return `This deletes the type ${parts[1]} with all its documents.`;
  if (parts[1] === '_mapping' || parts[2] === '_mapping')
    return 'This deletes a type with all its documents.';
  return undefined;
}

function isEverything(name: string): boolean {
  return name === '' || name === '_all' || /^\*+$/.test(name);
}

function matchesAll(body: string | undefined): boolean {
  if (body === undefined) return true;
  try {
    const value = parseJson(body);
    if (!isObject(value)) return false;
    const query = isObject(value.query) ? value.query : value;
    return Object.keys(query).length === 0 || Object.hasOwn(query, 'match_all');
  } catch {
    return false;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
