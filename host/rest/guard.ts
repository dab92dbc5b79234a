/** Who answers whom: the routes over the engine as a principal sees it. */
import type { IndexLevel, RouteAccess } from '../security/grants.js';
import type { Principal } from '../security/principal.js';
import { unauthorized } from '../errors.js';
import type { Engine } from '../engine/engine.js';
import { actionOf } from './actions.js';
import type { RestHandler } from './request.js';
import type { GuardedHandler, Route } from './router.js';

/** Handlers that are kept for principals who came before. */
const MAX_KEPT = 2000;

/**
 * Handlers for principals. A route is checked as a whole by what it asks for, the names in a request by the engine's view. Nothing is
 * allowed that no case here allows.
 * @param families all routes, by families
 * @param over makes the families of a view of the engine, which have the same routes in the same order
 */
export function guard(
  engine: Engine,
  families: readonly (readonly Route[])[],
  over: (view: Engine) => readonly (() => readonly Route[])[],
): GuardedHandler {
  const places = families.flatMap((routes, family) => routes.map((route, at) => ({ route, family, at })));
  let kept = new WeakMap<Principal, Map<number, RestHandler>>();
  let count = 0;
  return (number, principal) => {
    const known = kept.get(principal)?.get(number);
    if (known !== undefined) return known;
    const { route, family, at } = places[number]!;
    const [methods, template, access, whole] = route;
    const action = actionOf(methods, template, access);
    const level = levelOf(access, principal);
    if (level === undefined) throw unauthorized(action, principal.name);
    const handler = level === 'all' ? whole : over(engine.as(principal, level, action))[family]!()[at]![3];
    if (++count > MAX_KEPT) {
      kept = new WeakMap();
      count = 1;
    }
    kept.set(principal, (kept.get(principal) ?? new Map<number, RestHandler>()).set(number, handler));
    return handler;
  };
}

/** The level at which a principal may call a route; `all` for one that sees everything, undefined for none. */
function levelOf(access: RouteAccess, principal: Principal): IndexLevel | 'all' | undefined {
  switch (access) {
    case 'known':
      return 'read';
    case 'read':
    case 'write':
    case 'manage':
      return principal.hasAny(access) ? access : undefined;
    case 'look':
      if (principal.mayCluster('monitor')) return 'all';
      return principal.hasAny('read') ? 'read' : undefined;
    case 'monitor':
      return principal.mayCluster('monitor') ? 'all' : undefined;
    case 'clusterManage':
      return principal.mayCluster('manage') ? 'all' : undefined;
    default:
      return undefined;
  }
}
