/** Who may use an endpoint, and how much of the engine it is carried out on. Nothing is allowed that no case here allows. */
import type { IndexLevel, Privilege } from '../security/grants.js';
import type { Principal } from '../security/principal.js';
import { unauthorized } from '../errors.js';
import type { Engine } from '../engine/engine.js';
import type { Endpoint } from './endpoint.js';

/**
 * The engine as a principal may use it at an endpoint; throws 403 where the endpoint isn't for it. The endpoint is checked as a whole by
 * what it asks for, the names in a request are by the engine's view.
 */
export function engineFor(engine: Engine, { privilege, action }: Endpoint, principal: Principal): Engine {
  const level = levelOf(privilege, principal);
  if (level === undefined) throw unauthorized(action, principal.name);
  return level === 'all' ? engine : engine.as(principal, level, action);
}

/**
 * The level at which a principal may use an endpoint; `all` for one that sees everything, undefined for none. An endpoint that states no
 * privilege, which types rule out and nothing else does, is for nobody.
 */
function levelOf(privilege: Privilege | undefined, principal: Principal): IndexLevel | 'all' | undefined {
  switch (privilege) {
    case 'authenticated':
      return 'read';
    case 'read':
    case 'write':
    case 'manage':
      return principal.hasAny(privilege) ? privilege : undefined;
    case 'metadata':
      if (principal.mayCluster('monitor')) return 'all';
      return principal.hasAny('read') ? 'read' : undefined;
    case 'cluster:monitor':
      return principal.mayCluster('monitor') ? 'all' : undefined;
    case 'cluster:manage':
      return principal.mayCluster('manage') ? 'all' : undefined;
    default:
      return undefined;
  }
}
