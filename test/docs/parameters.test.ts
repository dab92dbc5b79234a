import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { COMMON_PARAMETERS, MASTER_TIMEOUTS } from '../../host/rest/endpoint.js';
import { ENDPOINTS, offeredRoutes } from '../../host/rest/routes.js';

/** An endpoint as the client for 1.7 of the npm registry describes it. */
interface Spec {
  params?: Record<string, { name?: string }>;
  url?: { fmt: string };
  urls?: { fmt: string }[];
  method?: string;
}

/** Closes a node from afar: not offered. */
const LEFT_OUT = ['/_shutdown', '/_cluster/nodes/{}/_shutdown'];

/** A template of a path without the names in it. */
const shapeOf = (path: string) => path.replace(/<%=.*?%>|\{.*?\}/g, '{}');

/** All endpoints of the client, with the names by which it offers them. */
function specs(api: object, path = ''): [string, Spec][] {
  return Object.entries(api).flatMap(([name, value]): [string, Spec][] => {
    const at = path === '' ? name : `${path}.${name}`;
    if (typeof value === 'function' && 'spec' in value) return [[at, value.spec as Spec]];
    if (typeof value === 'function') return specs(value.prototype ?? {}, at);
    return typeof value === 'object' && value !== null && name !== '_namespaces' ? specs(value, at) : [];
  });
}

const client = createRequire(import.meta.url)('elasticsearch/src/lib/apis/1_7.js') as object;
const routes = offeredRoutes().map((each) => ({ ...each, shape: shapeOf(each.path) }));

it('no endpoint tells a parameter twice', () => {
  for (const { paths, parameters, ignored = [] } of ENDPOINTS)
    expect([...parameters, ...ignored], paths[0]).toHaveLength(new Set([...parameters, ...ignored]).size);
});

it.each(specs(client))('%s of the client has its paths and its parameters', (_, spec) => {
  for (const { fmt } of [spec.url, ...(spec.urls ?? [])].flatMap((url) => url ?? [])) {
    const shape = shapeOf(fmt);
    if (LEFT_OUT.includes(shape)) continue;
    const found = routes.filter((route) => route.shape === shape && route.method === (spec.method ?? 'GET'));
    expect(found.length, shape).toBeGreaterThan(0);
    const told = new Set([...COMMON_PARAMETERS, 'index', 'type', 'id', 'name']);
    for (const { endpoint } of found) {
      const { parameters, ignored = [], masterTimeout } = endpoint;
      for (const name of [...parameters, ...ignored, ...(masterTimeout ? MASTER_TIMEOUTS : [])])
        told.add(name);
    }
    const missing = Object.entries(spec.params ?? {})
      .map(([key, { name = key }]) => name)
      .filter((name) => !told.has(name));
    expect(missing, shape).toEqual([]);
  }
});
