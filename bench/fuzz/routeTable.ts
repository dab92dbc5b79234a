import { offeredRoutes } from '../../host/rest/routes.js';

/** Every route with every method, `[method, template]`; but for those that would leave nothing to ask. */
export function routeTable(): (readonly [string, string])[] {
  const all = offeredRoutes().map(({ method, path }) => [method, path] as const);
  return all.filter(([method, path]) => method !== 'DELETE' || path.split('/').length > 2);
}
