/** Somebody who sends requests and is known. */
import { unauthorized } from '../errors.js';
import type { SecurityContext } from './securityContext.js';
import { wildcard } from '../text/wildcard.js';
import {
  CLUSTER_LEVELS,
  type ClusterLevel,
  type Grants,
  INDEX_LEVELS,
  type IndexLevel,
  RESTRICTED_INDICES,
} from './grants.js';

/** Names whose answer is remembered; those that are asked for come from requests. */
const MAX_REMEMBERED = 10_000;

type Test = (name: string) => boolean;

/** The names that a pattern grants. */
function granting(pattern: string): Test {
  const test = wildcard(pattern);
  return (name) => (RESTRICTED_INDICES.includes(name) ? name === pattern : test(name));
}

/** A user or an API key, with what it may do. Immutable: other grants make another principal. */
export class Principal {
  /** Who may do everything: the embedding program, and each client of a server without users. */
  static readonly unrestricted: Principal = new Principal('user', 'unrestricted', {
    grants: [{ indices: ['*'], access: 'manage' }],
    cluster: 'manage',
  });
  /** The name of the user or the id of the key, as errors tell it. */
  readonly name: string;
  readonly kind: 'user' | 'key';
  /** Everything that it may do. */
  readonly grants: Grants;
  /** Tells apart whose scrolls are whose: another principal, or one with other grants, has another. */
  readonly identity: string;
  readonly #cluster: number;
  /** By level: the tests of the names that it covers. */
  readonly #tests: readonly (readonly Test[])[];
  /** By level: what was asked before. */
  readonly #remembered = INDEX_LEVELS.map(() => new Map<string, boolean>());

  constructor(kind: 'user' | 'key', name: string, { grants, cluster }: Grants) {
    this.name = name;
    this.kind = kind;
    this.grants = { grants, cluster };
    this.identity = JSON.stringify([kind, name, cluster, grants]);
    this.#cluster = CLUSTER_LEVELS.indexOf(cluster);
    this.#tests = INDEX_LEVELS.map((_, level) =>
      grants
        .filter(({ access }) => INDEX_LEVELS.indexOf(access) >= level)
        .flatMap(({ indices }) => indices.map(granting)),
    );
  }

  /** The principal of an {@link identity}, in another thread. */
  static of(identity: string): Principal {
    const [kind, name, cluster, grants] = JSON.parse(identity) as [
      'user' | 'key',
      string,
      ClusterLevel,
      Grants['grants'],
    ];
    return new Principal(kind, name, { grants, cluster });
  }

  /** Whether a level over what has that name is granted, whether or not there is anything. */
  covers(name: string, level: IndexLevel): boolean {
    const at = INDEX_LEVELS.indexOf(level);
    const remembered = this.#remembered[at]!;
    let covered = remembered.get(name);
    if (covered === undefined) {
      covered = this.#tests[at]!.some((test) => test(name));
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(name, covered);
    }
    return covered;
  }

  /** Whether a level is granted over any name at all. */
  hasAny(level: IndexLevel): boolean {
    return this.#tests[INDEX_LEVELS.indexOf(level)]!.length > 0;
  }

  /** Whether a level over the cluster is granted. */
  mayCluster(level: Exclude<ClusterLevel, 'none'>): boolean {
    return this.#cluster >= CLUSTER_LEVELS.indexOf(level);
  }

  /** The principal as names are resolved for it, where it is going to do `action` at a level. */
  security(level: IndexLevel, action: string): SecurityContext {
    return {
      covers: (name) => this.covers(name, level),
      refusal: () => unauthorized(action, this.name),
    };
  }
}
