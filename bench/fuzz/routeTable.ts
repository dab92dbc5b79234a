import { createEngine } from '../../host/index.js';
import { routeFamilies } from '../../host/rest/routes.js';

/** Every route with every method, `[method, template]`; but for those that would leave nothing to ask. */
export async function routeTable(): Promise<(readonly [string, string])[]> {
  const resilin = await createEngine();
  const families = routeFamilies(resilin.engine, { node: 'n', cluster: 'c', version: '0' });
  const all = families.flatMap(({ routes: own }) =>
    own.flatMap(([methods, path]) => methods.split('|').map((method) => [method, path] as const)),
  );
  await resilin.close();
  return all.filter(([method, path]) => method !== 'DELETE' || path.split('/').length > 2);
}
