/** An index with its settings and mappings, made or completed before documents come. */
import { askJson, encoded, Refused, type Requests } from './requests.js';

/** What an index is made with: the body of `PUT /INDEX`. */
export interface IndexBody {
  settings?: unknown;
  mappings?: Readonly<Record<string, unknown>>;
  aliases?: unknown;
  warmers?: unknown;
}

const NOT_FOUND = 404;

/** Whether there is an index of that name; throws {@link Refused} where that isn't told. */
export async function isIndex(requests: Requests, index: string): Promise<boolean> {
  const { status } = await requests.send('HEAD', `/${encoded(index)}`);
  if (status === NOT_FOUND) return false;
  if (status < 300) return true;
  // An answer to HEAD has no words.
  await askJson(requests, 'GET', `/${encoded(index)}/_settings`);
  throw new Refused(`${requests.name}/${encoded(index)} answers with ${status}`, status);
}

/** Makes an index; where it is there, its types get the mappings, which must agree with those that it has. */
export async function makeIndex(requests: Requests, index: string, body: IndexBody): Promise<void> {
  if (!(await isIndex(requests, index))) {
    await askJson(requests, 'PUT', `/${encoded(index)}`, JSON.stringify(body));
    return;
  }
  for (const [type, mapping] of Object.entries(body.mappings ?? {}))
    await askJson(
      requests,
      'PUT',
      `/${encoded(index)}/_mapping/${encoded(type)}`,
      JSON.stringify({ [type]: mapping }),
    );
}

/** What a file says of an index: the body of `PUT /INDEX`, mappings by type, or the mapping of one type. */
export function indexBodyOf(value: unknown, type: string): IndexBody | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const names = Object.keys(value);
  if (names.some((name) => ['settings', 'mappings', 'aliases'].includes(name))) return value as IndexBody;
  if (names.includes('properties') || names.length === 0) return { mappings: { [type]: value } };
  return { mappings: value as Record<string, unknown> };
}
