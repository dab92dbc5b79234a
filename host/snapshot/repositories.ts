/** The repositories that the cluster knows by name. */
import { ElasticsearchError, toElasticsearchError } from '../errors.js';
import type { Cluster } from '../metadata/cluster.js';
import { wildcard } from '../text/wildcard.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import { decodeJson, encodeJson, nameInKey, REPOSITORY_RANGE, repositoryKey } from '../storage/records.js';
import type { Blobs, DamagedRow, Storage } from '../storage/storage.js';
import type { RepositoryLocations } from './locations.js';
import { Repository } from './repository.js';

/** Files that an error names. */
const MOST_NAMED = 10;
/** How a setting says no. */
const NO = new Set(['false', '0', 'off', 'no']);
/** Settings that nobody is shown. */
const SECRETS = new Set(['access_key', 'secret_key', 'session_token']);

/** A repository as it was asked for. */
export interface RepositoryMetadata {
  type: string;
  settings: FlatSettings;
}

/** What the registry needs of the engine. */
export interface RepositoryServices {
  storage: Storage;
  places: RepositoryLocations;
  /** The cluster's metadata. */
  cluster: Pick<Cluster, 'exclusive' | 'commitRows'>;
  /** Whether other nodes know the same repositories. */
  isShared: boolean;
  /** Told of what is damaged and left out. */
  warn(message: string): void;
}

/** Read from the store, where other nodes of the cluster may have changed them. */
export class Repositories {
  readonly #services: RepositoryServices;

  constructor(services: RepositoryServices) {
    this.#services = services;
    const damaged = (row: DamagedRow) =>
      services.warn(`the repository [${nameInKey(row.key)}] is left out: ${row.message}`);
    this.#all(damaged);
  }

  #all(damaged: (row: DamagedRow) => void = () => {}): Map<string, RepositoryMetadata> {
    const rows = this.#services.storage.range(...REPOSITORY_RANGE, { damaged });
    return new Map([...rows].map(([key, value]) => [nameInKey(key), decodeJson<RepositoryMetadata>(value)]));
  }

  #metadata(name: string): RepositoryMetadata {
    const metadata = this.#all().get(name);
    if (metadata === undefined) throw repositoryMissing(name);
    return metadata;
  }

  /** Those that names and patterns mean, all if there are none, without their secrets; 404 if a name means none. */
  find(names: readonly string[]): [string, RepositoryMetadata][] {
    const known = this.#all();
    const all = [...known].map(([name, metadata]): [string, RepositoryMetadata] => [name, shown(metadata)]);
    if (names.length === 0 || (names.length === 1 && names[0] === '_all')) return all;
    const found = new Map<string, RepositoryMetadata>();
    for (const name of names) {
      const one = known.get(name);
      if (one !== undefined) found.set(name, shown(one));
      else if (!name.includes('*')) throw repositoryMissing(name);
      else {
        const fits = wildcard(name);
        for (const [each, metadata] of all) if (fits(each)) found.set(each, metadata);
      }
    }
    return [...found];
  }

  /** The repository of a name; 404 without it. @param signal ends what is under way in it */
  async open(name: string, signal?: AbortSignal): Promise<Repository> {
    return this.#open(name, this.#metadata(name), signal);
  }

  /** The repository of a name, where it may be written to. */
  async openForWriting(name: string, signal?: AbortSignal): Promise<Repository> {
    const repository = await this.open(name, signal);
    if (this.isReadOnly(name))
      throw new ElasticsearchError('RepositoryException', `[${name}] can only be read`);
    return repository;
  }

  /** Whether nothing may be written to a repository; 404 without it. */
  isReadOnly(name: string): boolean {
    return isReadOnly(this.#metadata(name));
  }

  /** Tries whether a repository can be used. */
  async verify(name: string): Promise<void> {
    await verifyRepository(await this.open(name), this.isReadOnly(name));
  }

  /** Reads everything that is in a repository. */
  async check(name: string): Promise<void> {
    const repository = await this.open(name);
    const damaged = await repository.damage();
    if (damaged.length === 0) return;
    const named = damaged.slice(0, MOST_NAMED).join(', ') + (damaged.length > MOST_NAMED ? ', ...' : '');
    const detail = `[${repository.name}] ${damaged.length} files are missing or damaged: ${named}`;
    throw new ElasticsearchError('RepositoryVerificationException', detail);
  }

  /** Makes a repository known, or another one in its place. */
  async put(name: string, metadata: RepositoryMetadata): Promise<void> {
    const { cluster, isShared } = this.#services;
    const secret = isShared ? Object.keys(metadata.settings).find((key) => SECRETS.has(key)) : undefined;
    if (secret !== undefined) throw sharedSecret(name, secret);
    await cluster.exclusive(async () => {
      await this.#open(name, metadata);
      await cluster.commitRows([[repositoryKey(name), encodeJson(metadata)]]);
    });
  }

  /** Forgets repositories; what they hold stays. 404 if the pattern means none. */
  delete(pattern: string): Promise<void> {
    const { cluster } = this.#services;
    return cluster.exclusive(async () => {
      const fits = wildcard(pattern);
      const names = [...this.#all().keys()].filter(fits);
      if (names.length === 0 && pattern !== '*') throw repositoryMissing(pattern);
      await cluster.commitRows([], names.map(repositoryKey));
    });
  }

  async #open(
    name: string,
    { type, settings }: RepositoryMetadata,
    signal?: AbortSignal,
  ): Promise<Repository> {
    const { places } = this.#services;
    if (type === 's3' && places.openBucket !== undefined) {
      const blobs = await places.openBucket(settings).catch((e: Error) => {
        throw failed(name, injected(name, e.message));
      });
      return new Repository(name, blobs, signal);
    }
    if (type !== 'fs' && type !== 'url') throw failed(name, unknownType(type));
    const key = type === 'fs' ? 'location' : 'url';
    const given = settings[key];
    if (given === undefined) throw failed(name, injected(name, `missing ${key}`));
    const opening = type === 'fs' ? places.open(given) : this.#openUrl(name, given);
    const blobs = await opening.catch((e: Error) => {
      if (e instanceof ElasticsearchError) throw e;
      throw failed(name, injected(name, `location [${given}] can't be used: ${e.message}`));
    });
    if (blobs !== undefined) return new Repository(name, blobs, signal);
    const problem =
      type === 'fs'
        ? `location [${given}] doesn't match any of the locations specified by path.repo`
        : `file url [${given}] doesn't match any of the locations specified by path.repo or repositories.url.allowed_urls`;
    throw failed(name, injected(name, problem));
  }

  async #openUrl(name: string, url: string): Promise<Blobs | undefined> {
    const { places } = this.#services;
    const path = pathOf(url);
    if (path !== undefined) return places.open(path);
    const protocol = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
    if (protocol === 'http' || protocol === 'https') return places.openUrl?.(url);
    if (protocol === undefined || protocol === 'file') return undefined;
    throw failed(name, injected(name, `unsupported url protocol [${protocol}] from URL [${url}]`));
  }
}

/** Tries whether a repository can be used. */
async function verifyRepository(repository: Repository, readOnly: boolean): Promise<void> {
  try {
    await (readOnly ? repository.verifyReading() : repository.verify());
  } catch (e) {
    const detail = `[${repository.name}] path is not accessible`;
    throw new ElasticsearchError('RepositoryVerificationException', detail, {
      nested: toElasticsearchError(e),
    });
  }
}

function isReadOnly({ type, settings }: RepositoryMetadata): boolean {
  return type === 'url' || !NO.has(settings.readonly ?? 'false');
}

/** Every node keeps the settings of repositories, and so do the servers that order what nodes do. */
function sharedSecret(name: string, setting: string): ElasticsearchError {
  const detail =
    `[${name}] the setting [${setting}] would be kept as it is by every node and by NATS: give each node its credentials by its ` +
    'environment (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, ~/.aws, or the role of its machine)';
  return new ElasticsearchError('RepositoryException', detail, { status: 400 });
}

/** A repository as answers show it. */
function shown({ type, settings }: RepositoryMetadata): RepositoryMetadata {
  const open = Object.entries(settings).filter(([key]) => !SECRETS.has(key));
  return { type, settings: Object.fromEntries(open) };
}

function pathOf(url: string): string | undefined {
  return /^file:(?:\/\/)?(\/.*)$/.exec(url)?.[1];
}

function repositoryMissing(name: string): ElasticsearchError {
  return new ElasticsearchError('RepositoryMissingException', `[${name}] missing`);
}

function failed(name: string, nested: ElasticsearchError): ElasticsearchError {
  return new ElasticsearchError('RepositoryException', `[${name}] failed to create repository`, { nested });
}

/** An error of a constructor, as 1.7 tells it. */
function injected(name: string, problem: string): ElasticsearchError {
  const nested = new ElasticsearchError('RepositoryException', `[${name}] ${problem}`);
  const detail =
    `Guice creation errors:\n\n1) Error injecting constructor, ${nested.render()}\n` +
    '  at org.elasticsearch.repositories.Repository\n\n1 error';
  return new ElasticsearchError('CreationException', detail, { nested });
}

function unknownType(type: string): ElasticsearchError {
  const camel = type.replace(/[_-]([a-z0-9])/gi, (_, c: string) => c.toUpperCase());
  const module = `${camel.charAt(0).toUpperCase()}${camel.slice(1)}RepositoryModule`;
  const prefix = 'org.elasticsearch.repositories.';
  const last = `${prefix}${type.toLowerCase()}.${module}`;
  const tried = [type, `${prefix}${module}`, `${prefix}${camel}.${module}`, last];
  const detail = `failed to load class with value [${type}]; tried [${tried.join(', ')}]`;
  const nested = new ElasticsearchError('ClassNotFoundException', last);
  return new ElasticsearchError('NoClassSettingsException', detail, { nested });
}
