/** The settings and mappings of an index, as another one is made with them. */
import { UsageError } from '../flags.js';
import type { IndexBody } from '../remote/indexMaking.js';
import { askJson, encoded, type Requests } from '../remote/requests.js';

/** Settings that belong to one index alone, or would keep its copy from being written. */
const OWN = ['creation_date', 'uuid', 'version', 'blocks'];

/** What an index like that one is made with. Throws {@link UsageError} where a name means several. */
export async function indexToMake(requests: Requests, name: string): Promise<IndexBody> {
  const answer = (await askJson(requests, 'GET', `/${encoded(name)}`)) as Record<
    string,
    { settings?: { index?: Record<string, unknown> }; mappings?: Record<string, unknown> }
  >;
  const [found, ...more] = Object.values(answer);
  if (found === undefined || more.length > 0)
    throw new UsageError(
      `${name} means ${more.length + (found === undefined ? 0 : 1)} indices; copy one at a time`,
    );
  return { settings: { index: withoutOwn(found.settings?.index ?? {}) }, mappings: found.mappings ?? {} };
}

/** The settings of an index without those that are its own, by their names below `index`, nested or with dots. */
export function withoutOwn(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !OWN.includes(key.split('.')[0]!)));
}
