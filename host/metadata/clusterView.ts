/** The cluster as somebody sees it who may not touch everything in it. */
import type { Principal } from '../security/principal.js';
import type { IndexLevel } from '../security/grants.js';
import { isObject } from '../json/values.js';
import type { AliasAction } from './aliases.js';
import type { Cluster } from './cluster.js';
import type { CheckFilter } from './indexLifecycle.js';
import { mayName, type NameOptions } from './names.js';
import type { SecurityContext } from '../security/securityContext.js';
import type { OpenIndex } from './openIndex.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import type { SearchTarget } from './targets.js';
import type { IndexBody } from './templates.js';
import type { WorkLimit } from '../workLimit.js';

/** What requests ask of the cluster. An index that it gave may be used without asking again. */
export type ClusterInterface = Pick<
  Cluster,
  | 'all'
  | 'behind'
  | 'closeIndices'
  | 'create'
  | 'delete'
  | 'deleteTypes'
  | 'deleteWarmers'
  | 'ensure'
  | 'find'
  | 'index'
  | 'openIndices'
  | 'opening'
  | 'putMapping'
  | 'putSettings'
  | 'putWarmer'
  | 'resolve'
  | 'stored'
  | 'targets'
  | 'typesOf'
  | 'updateAliases'
  | 'version'
>;

/**
 * Every name goes through its {@link SecurityContext}. Whatever the call is, documents are written and indices made at the level `write`,
 * and indices changed at `manage`.
 */
export class ClusterView implements ClusterInterface {
  readonly #whole: Cluster;
  /** At the level of the call. */
  readonly #security: SecurityContext;
  readonly #writer: SecurityContext;
  readonly #manager: SecurityContext;
  readonly #check: CheckFilter;

  /** @param check refuses filters as they are for the principal, who may not look up everything */
  constructor(whole: Cluster, principal: Principal, level: IndexLevel, action: string, check: CheckFilter) {
    this.#whole = whole;
    this.#security = principal.security(level, action);
    this.#writer = principal.security(level === 'manage' ? level : 'write', action);
    this.#manager = principal.security('manage', action);
    this.#check = check;
  }

  get stored(): Cluster['stored'] {
    return this.#whole.stored;
  }

  get version(): number {
    return this.#whole.version;
  }

  get opening(): boolean {
    return this.#whole.opening;
  }

  all(): OpenIndex[] {
    return this.#whole.all().filter(({ name }) => this.#security.covers(name));
  }

  find(name: string): OpenIndex | undefined {
    return this.#security.covers(name) ? this.#whole.find(name) : undefined;
  }

  index(name: string): OpenIndex {
    this.#refuse(this.#security, name);
    return this.#whole.index(name);
  }

  behind(alias: string): readonly string[] | undefined {
    const may = mayName(this.#whole.names, alias, { security: this.#security });
    return may ? this.#whole.behind(alias) : undefined;
  }

  resolve(expression: string | undefined, options?: NameOptions): OpenIndex[] {
    return this.#whole.resolve(expression, { ...options, security: this.#security });
  }

  targets(
    expression: string | undefined,
    routing: readonly string[] | undefined,
    options: NameOptions,
  ): SearchTarget[] {
    return this.#whole.targets(expression, routing, { ...options, security: this.#security });
  }

  async create(name: string, body?: IndexBody, limit?: WorkLimit): Promise<void> {
    refuse(this.#manager, name);
    for (const alias of isObject(body?.aliases) ? Object.keys(body.aliases) : [])
      refuse(this.#manager, alias);
    await this.#whole.create(name, body, limit, this.#check);
  }

  async ensure(name: string): Promise<OpenIndex> {
    this.#refuse(this.#writer, name);
    return this.#whole.ensure(name);
  }

  delete(expression: string | undefined, options?: NameOptions): Promise<void> {
    return this.#whole.delete(expression, this.#managing(options));
  }

  closeIndices(expression: string | undefined, options?: NameOptions): Promise<void> {
    return this.#whole.closeIndices(expression, this.#managing(options));
  }

  openIndices(expression: string | undefined, options?: NameOptions): Promise<void> {
    return this.#whole.openIndices(expression, this.#managing(options));
  }

  putSettings(expression: string | undefined, change: FlatSettings, options?: NameOptions): Promise<void> {
    return this.#whole.putSettings(expression, change, this.#managing(options));
  }

  /** An alias takes its own name being covered, beside those of its indices. */
  async updateAliases(
    actions: readonly AliasAction[],
    options: NameOptions,
    limit: WorkLimit,
  ): Promise<void> {
    for (const { kind, aliases } of actions) {
      // A removal may name patterns, which find what is covered.
      for (const name of aliases) {
        if (name && !(kind === 'remove' && isPattern(name))) refuse(this.#manager, name);
      }
    }
    await this.#whole.updateAliases(actions, this.#managing(options), limit, this.#check);
  }

  putMapping(...args: Parameters<Cluster['putMapping']>): Promise<void> {
    return this.#whole.putMapping(...args);
  }

  deleteTypes(...args: Parameters<Cluster['deleteTypes']>): Promise<void> {
    return this.#whole.deleteTypes(...args);
  }

  typesOf(...args: Parameters<Cluster['typesOf']>): ReturnType<Cluster['typesOf']> {
    return this.#whole.typesOf(...args);
  }

  putWarmer(...args: Parameters<Cluster['putWarmer']>): Promise<void> {
    return this.#whole.putWarmer(...args);
  }

  deleteWarmers(...args: Parameters<Cluster['deleteWarmers']>): Promise<void> {
    return this.#whole.deleteWarmers(...args);
  }

  /** 403 for the name of an index or an alias as it is now. */
  #refuse(security: SecurityContext, name: string): void {
    if (!mayName(this.#whole.names, name, { security })) throw security.refusal();
  }

  #managing(options?: NameOptions): NameOptions {
    return { ...options, security: this.#manager };
  }
}

/** 403 for a name that is to be given to something. */
function refuse(security: SecurityContext, name: string): void {
  if (!security.covers(name)) throw security.refusal();
}

function isPattern(name: string): boolean {
  return name === '_all' || name.includes('*');
}
