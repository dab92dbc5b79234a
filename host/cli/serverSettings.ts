/**
 * The settings that a server is started with: flags win over variables of the environment, these over the file, this over defaults. All of
 * it is looked at before anything is started, and all that is wrong is said at once.
 */
import { availableParallelism } from 'node:os';
import { parseTime } from '../time/durations.js';
import type { CorsOptions } from '../server/cors.js';
import { defaultThreads } from '../server/defaultThreads.js';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from '../server/log.js';
import { nearestName } from '../server/nearestName.js';
import type { ClusterOptions, ServerOptions } from '../server/options.js';
import { ALLOWED_FORMS, parseAllowedBucket } from '../server/s3/allowedBuckets.js';
import { parseAllowedUrl } from '../server/urlRepositories.js';
import { parseSize } from '../settings/sizes.js';
import { reasonOf } from './oldSettings.js';
import type { FileSetting, SettingsFile } from './settingsFile.js';

/** How a setting is read: its value, or an {@link Unfit}. */
type Read<T> = (text: string) => T;

interface Setting<T> {
  /** Its names in an `elasticsearch.yml`, the one that wins first. */
  old?: readonly string[];
  /** It has neither a flag nor a variable. */
  fileOnly?: true;
  /** The flag that says false, and has no value. */
  off?: string;
  /** The default as it is shown. */
  otherwise: () => string;
  read: Read<T>;
}

/** What a value must be. */
class Unfit extends Error {}

const none = () => '';
const text: Read<string> = (value) => value;
const whole =
  (least: number, most: number, what = 'a number'): Read<number> =>
  (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most)) throw new Unfit(`${what} from ${least} to ${most}`);
    return number;
  };
const oneOf =
  <T extends string>(all: readonly T[]): Read<T> =>
  (value) => {
    const found = all.find((each) => each === value);
    if (found === undefined) throw new Unfit(`one of ${all.join(', ')}`);
    return found;
  };
const yesOrNo: Read<boolean> = (value) => oneOf(['true', 'false'])(value) === 'true';
/** The parts between commas. */
const list: Read<string[]> = (value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
const buckets: Read<string[]> = (value) => {
  const all = list(value);
  if (!all.every(parseAllowedBucket))
    throw new Unfit(`${ALLOWED_FORMS}, or several of them with commas between`);
  return all;
};
const urls: Read<string[]> = (value) => {
  const all = list(value);
  if (!all.every(parseAllowedUrl))
    throw new Unfit('https://HOST/PATH/ or http://HOST/PATH/, or several of them with commas between');
  return all;
};
/** A name that tables and headers can show. */
const label: Read<string> = (value) => {
  if (!/^\P{C}{1,255}$/u.test(value)) throw new Unfit('a name of 1 to 255 characters');
  return value;
};
const address: Read<string> = (value) => {
  if (/^_local(:ipv4)?_$/.test(value)) return '127.0.0.1';
  if (value === '_local:ipv6_') return '::1';
  if (/^_.*_$/.test(value)) throw new Unfit('an address or a name, such as 0.0.0.0');
  return value;
};
const folder: Read<string> = (value) => {
  if (value.includes(',')) throw new Unfit('one folder');
  return value;
};
/** Milliseconds. */
const time: Read<number> = (value) => {
  if (!/^\d{1,9}(ms|s|m|h)$/.test(value)) throw new Unfit('a time such as 60s, 5m or 0s');
  return parseTime(value);
};
/** What settings of allocation may name of a node. */
const attributes: Read<Record<string, string>> = (value) => {
  const pairs = list(value).map((each) => /^([\w.-]{1,64})=([^=,]{1,255})$/.exec(each));
  if (pairs.some((pair) => pair === null))
    throw new Unfit('NAME=VALUE, or several of them with commas between');
  return Object.fromEntries(pairs.map((pair) => [pair![1]!, pair![2]!]));
};
/** As 1.7 has it; what runs in a sandbox there was Groovy before its version 1.4.3. */
const onOrOff: Read<boolean> = (value) =>
  ['on', 'true'].includes(oneOf(['on', 'true', 'off', 'false', 'sandbox'])(value));
/** Data workers, and threads that accept connections. */
const threads: Read<number[]> = (value) => {
  const counts = value.split(',').map(Number);
  if (!/^\d+(,\d+)?$/.test(value) || counts.some((count) => count < 1 || count > 256))
    throw new Unfit('a number from 1 to 256, or two of them with a comma between');
  return counts;
};
/** A pattern must be one that can be compiled. */
const origin: Read<string> = (value) => {
  const pattern = /^\/(.+)\/$/.exec(value)?.[1];
  try {
    if (pattern !== undefined) new RegExp(pattern);
    else if (value.startsWith('/')) throw new Error();
  } catch {
    throw new Unfit('an origin or a /pattern/');
  }
  return value;
};
const MAX_BODY = 512 * 1024 * 1024;
const bodySize: Read<number> = (value) => {
  const bytes = value.includes('%') ? undefined : parseSize(value, 0);
  if (bytes === undefined || bytes < 1024 || bytes > MAX_BODY) throw new Unfit('a size from 1kb to 512mb');
  return bytes;
};

const SETTINGS = {
  port: { old: ['http.port'], otherwise: () => '9200', read: whole(0, 65_535) },
  host: {
    old: ['http.bind_host', 'http.host', 'network.bind_host', 'network.host'],
    otherwise: () => '127.0.0.1',
    read: address,
  },
  data: { old: ['path.data'], otherwise: () => './data', read: folder },
  'cluster-name': { otherwise: () => 'elasticsearch', read: label },
  'node-name': { otherwise: () => 'Resilin', read: label },
  cluster: { otherwise: none, read: list },
  'node-data': { off: 'no-data', otherwise: () => 'true', read: yesOrNo },
  'node-attr': { otherwise: none, read: attributes },
  grace: { otherwise: () => '60s', read: time },
  'nats-creds': { otherwise: none, read: text },
  'nats-nkey': { otherwise: none, read: text },
  'nats-ca': { otherwise: none, read: text },
  'nats-cert': { otherwise: none, read: text },
  'nats-key': { otherwise: none, read: text },
  threads: {
    otherwise: () => {
      const { data, coordinators } = defaultThreads(availableParallelism());
      return `${data},${coordinators}`;
    },
    read: threads,
  },
  'result-cache': { otherwise: () => '4', read: whole(0, 1024, 'a number of megabytes') },
  'search-copies': { otherwise: () => '0', read: whole(0, 255) },
  'script-inline': { old: ['script.inline'], otherwise: () => 'off', read: onOrOff },
  'script-indexed': { old: ['script.indexed'], otherwise: () => 'off', read: onOrOff },
  scripts: { old: ['path.scripts'], otherwise: none, read: folder },
  repo: { old: ['path.repo'], otherwise: none, read: list },
  'repo-s3': { otherwise: none, read: buckets },
  'repo-url': { old: ['repositories.url.allowed_urls'], otherwise: none, read: urls },
  cors: { old: ['http.cors.allow-origin'], otherwise: none, read: origin },
  'allow-host': { otherwise: none, read: list },
  console: { off: 'no-console', otherwise: () => 'true', read: yesOrNo },
  log: { otherwise: () => 'info', read: oneOf(LOG_LEVELS) as Read<LogLevel> },
  'log-format': { otherwise: none, read: oneOf(LOG_FORMATS) as Read<LogFormat> },
  users: { otherwise: none, read: text },
  audit: { otherwise: none, read: text },
  'tls-cert': { otherwise: none, read: text },
  'tls-key': { otherwise: none, read: text },
  'http.cors.enabled': { fileOnly: true, otherwise: none, read: yesOrNo },
  'http.cors.allow-credentials': { fileOnly: true, otherwise: none, read: yesOrNo },
  'http.cors.allow-methods': { fileOnly: true, otherwise: none, read: text },
  'http.cors.allow-headers': { fileOnly: true, otherwise: none, read: text },
  'http.cors.max-age': { fileOnly: true, otherwise: none, read: whole(0, 2 ** 31 - 1, 'seconds') },
  'http.compression': { fileOnly: true, otherwise: () => 'false', read: yesOrNo },
  'http.max_content_length': { fileOnly: true, otherwise: () => '100mb', read: bodySize },
} satisfies Record<string, Setting<unknown>>;

type Name = keyof typeof SETTINGS;
type Values = { [K in Name]?: ReturnType<(typeof SETTINGS)[K]['read']> };

const NAMES = Object.keys(SETTINGS) as Name[];
const SETTING_OF: Readonly<Record<Name, Setting<unknown>>> = SETTINGS;

/** Flags without a value, and the settings that each of them makes false. */
export const SWITCHES: ReadonlyMap<string, string> = new Map(
  NAMES.flatMap((name) => {
    const { off } = SETTING_OF[name];
    return off === undefined ? [] : [[off, name]];
  }),
);

/** Flags with a value, named as their settings. */
export const FLAGS: readonly string[] = NAMES.filter((name) => {
  const { fileOnly, off } = SETTING_OF[name];
  return !fileOnly && off === undefined;
});

/** A setting that is in force. */
export interface SettingInForce {
  name: string;
  /** Empty where there is none. */
  value: string;
  /** `--port`, `RESILIN_PORT`, `resilin.yml:3`, `default`. */
  from: string;
}

/** What a server is to be started with. */
export interface ServerSettings {
  options: ServerOptions & Required<Pick<ServerOptions, 'port' | 'host' | 'data'>>;
  log: LogLevel;
  /** By whether stderr is a terminal without it. */
  logFormat: LogFormat | undefined;
  inForce: SettingInForce[];
  /** Lines of the file that mean nothing here. */
  warnings: string[];
  /** What is wrong; the server must not be started if there is anything. */
  problems: string[];
}

/** The variable of a setting. */
function variableOf(name: string): string {
  return `RESILIN_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** A name as it is compared: `RESILIN_ALLOW_HOST`, `allow_host` and `allow.host` are `allow-host`. */
function plainName(name: string): string {
  const own = name.startsWith('RESILIN_') ? name.slice('RESILIN_'.length).toLowerCase() : name;
  return own.replace(/[._]/g, '-');
}

/** A setting's names in files, by their plain forms, each with its place among those of the setting: the first wins. */
const BY_NAME = new Map(
  NAMES.flatMap((name) =>
    [name, ...(SETTING_OF[name].old ?? [])].map((each, place) => [plainName(each), { name, place }] as const),
  ),
);
/** Names that may be meant by misspelt ones. */
const FILE_NAMES = NAMES.flatMap((name) => [name, name.replace('-', '.'), ...(SETTING_OF[name].old ?? [])]);

/** A value and where it comes from. */
interface Given {
  value: string;
  from: string;
  /** As messages name it. */
  label: string;
  /** As it is called there. */
  name: string;
}

/**
 * Reads the settings.
 * @param flags by their names without dashes
 * @param file undefined where there is none
 */
export function serverSettings(
  flags: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
  file: SettingsFile | undefined,
): ServerSettings {
  const problems = [...(file?.problems ?? [])];
  const warnings: string[] = [];
  const lines = new Map<Name, PlacedSetting>();
  const seen = new Map<string, number>();
  for (const line of file?.settings ?? []) {
    const at = `${file!.path}:${line.line}`;
    const placed = placeOf(line, at, problems, warnings);
    if (placed === undefined) continue;
    const { setting, place } = placed;
    const before = seen.get(`${setting} ${place}`);
    seen.set(`${setting} ${place}`, line.line);
    if (before !== undefined) problems.push(`${at}: ${line.name} stands in line ${before} already`);
    else if (place < (lines.get(setting)?.place ?? Infinity)) lines.set(setting, { ...line, place });
  }

  const given = new Map<Name, Given>();
  for (const name of NAMES) {
    const variable = variableOf(name);
    const line = lines.get(name);
    const { fileOnly, off = name } = SETTING_OF[name];
    if (Object.hasOwn(flags, name))
      given.set(name, { value: flags[name]!, from: `--${off}`, label: `--${off}`, name });
    else if (env[variable] && !fileOnly)
      given.set(name, { value: env[variable], from: variable, label: variable, name });
    else if (line !== undefined) {
      const from = `${file!.path}:${line.line}`;
      given.set(name, { value: line.value, from, label: `${from}: ${line.name}`, name: line.name });
    }
  }
  const values: Record<string, unknown> = {};
  const inForce: SettingInForce[] = [];
  for (const name of NAMES) {
    const setting = SETTING_OF[name];
    const { value = setting.otherwise(), from = 'default', label = name } = given.get(name) ?? {};
    inForce.push({ name, value: withoutPasswords(value), from });
    if (!given.has(name)) continue;
    try {
      values[name] = setting.read(value);
    } catch (e) {
      if (!(e instanceof Unfit)) throw e;
      problems.push(`${label} must be ${e.message}, not ${value}`);
    }
  }
  const { 'tls-cert': cert, 'tls-key': key, ...read } = values as Values;
  if ((cert === undefined) !== (key === undefined)) problems.push('--tls-cert and --tls-key go together');
  const cors = corsOf(read, given, warnings);
  const [data, coordinators] = read.threads ?? [];
  const options = {
    port: read.port ?? 9200,
    host: read.host ?? '127.0.0.1',
    data: read.data ?? './data',
    repositories: read.repo ?? [],
    ...defined({
      s3Repositories: read['repo-s3'],
      urlRepositories: read['repo-url'],
      cluster: read['cluster-name'],
      join: clusterOf(read, problems),
      node: read['node-name'],
      threads: data,
      coordinators,
      resultCache: read['result-cache'],
      searchCopies: read['search-copies'],
      scripts: scriptsOf(read),
      users: read.users,
      audit: read.audit,
    }),
    ...(cert === undefined || key === undefined ? {} : { tls: { cert, key } }),
    http: {
      hosts: read['allow-host'] ?? [],
      ...defined({
        cors,
        console: read.console === false ? (false as const) : undefined,
        compression: read['http.compression'],
        maxBody: read['http.max_content_length'],
      }),
    },
  };
  return {
    options,
    log: read.log ?? 'info',
    logFormat: read['log-format'],
    inForce,
    warnings,
    problems,
  };
}

/** An address as it may be shown. */
function withoutPasswords(value: string): string {
  return value.replace(/\/\/[^@/]*@/g, '//***@');
}

/** How the cluster is reached; undefined where the server is alone. */
function clusterOf(
  {
    cluster,
    'cluster-name': name,
    'node-data': data,
    'node-attr': nodeAttributes,
    grace,
    'nats-creds': credsFile,
    'nats-nkey': nkeyFile,
    'nats-ca': caFile,
    'nats-cert': certFile,
    'nats-key': keyFile,
  }: Values,
  problems: string[],
): ClusterOptions | undefined {
  const tls = defined({ caFile, certFile, keyFile });
  const given = defined({ credsFile, nkeyFile });
  if (cluster === undefined || cluster.length === 0) {
    if (Object.keys({ ...tls, ...given }).length > 0) problems.push('--nats-… is said without --cluster');
    if (data === false) problems.push('--no-data is said without --cluster');
    return undefined;
  }
  if (name === undefined || !/^[A-Za-z0-9-]{1,64}$/.test(name))
    problems.push(
      '--cluster needs a --cluster-name of 1 to 64 letters, digits and -, the same for all its nodes',
    );
  return {
    servers: cluster,
    data: data !== false,
    ...defined({ attributes: nodeAttributes, graceMs: grace }),
    ...given,
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
  };
}

/** A line of the file, with the place of its name among those of its setting. */
interface PlacedSetting extends FileSetting {
  place: number;
}

/** Finds out which setting a line of the file is for; undefined, and told, where it is for none. @param at where it stands */
function placeOf(
  { name, value }: FileSetting,
  at: string,
  problems: string[],
  warnings: string[],
): { setting: Name; place: number } | undefined {
  const known = BY_NAME.get(plainName(name));
  if (known === undefined) {
    const nearest = nearestName(name, FILE_NAMES);
    const reason = reasonOf(name);
    if (nearest !== undefined) problems.push(`${at}: ${name} is no setting; is ${nearest} meant?`);
    else if (!name.includes('.')) problems.push(`${at}: ${name} is no setting; resilin config shows all`);
    else warnings.push(`${at}: ${name} isn't understood${reason === undefined ? '' : `: ${reason}`}`);
    return undefined;
  }
  if (value.trim() !== '') return { setting: known.name, place: known.place };
  problems.push(`${at}: ${name} needs a value`);
  return undefined;
}

/** Which pages may ask. In an `elasticsearch.yml` `http.cors.enabled` must say so, too. */
function corsOf(read: Values, given: ReadonlyMap<Name, Given>, warnings: string[]): CorsOptions | undefined {
  const { cors: allowOrigin, 'http.cors.enabled': enabled } = read;
  if (allowOrigin === undefined) {
    if (enabled === true)
      warnings.push(
        `${given.get('http.cors.enabled')!.from}: http.cors.enabled lets nobody in without http.cors.allow-origin`,
      );
    return undefined;
  }
  const { name, from } = given.get('cors')!;
  if (name !== 'cors' && enabled !== true) {
    if (enabled === undefined)
      warnings.push(`${from}: ${name} lets nobody in without http.cors.enabled: true`);
    return undefined;
  }
  return {
    allowOrigin,
    ...defined({
      allowCredentials: read['http.cors.allow-credentials'],
      allowMethods: read['http.cors.allow-methods'],
      allowHeaders: read['http.cors.allow-headers'],
      maxAge: read['http.cors.max-age'],
    }),
  };
}

/** Which scripts in Groovy may run; undefined where nothing is said of it. */
function scriptsOf(read: Values): ServerOptions['scripts'] {
  const all = defined({
    inline: read['script-inline'],
    indexed: read['script-indexed'],
    folder: read.scripts,
  });
  return Object.keys(all).length === 0 ? undefined : all;
}

/** Without what is undefined. */
function defined<T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
