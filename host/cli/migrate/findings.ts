/** Findings that an inventory alone tells: plugins, rivers, closed indices, blocks, and what mappings keep from being moved. */
import type { Finding } from './finding.js';
import type { Inventory, OldIndex, Plugin } from './inventory.js';

type Bag = Record<string, unknown>;

/** What to do without a plugin, by what its name has in it. */
const PLUGINS: readonly (readonly [part: string, what: string, todo: string])[] = [
  ['head', "its pages aren't served", 'serve them elsewhere and start Resilin with --cors'],
  ['icu', "its analysis isn't here", 'make the index with asciifolding and standard before moving'],
  ['phonetic', "its token filters aren't here", 'make the index without them before moving'],
  ['kuromoji', "its analysis isn't here", 'make the index with the cjk analyzer before moving'],
  ['smartcn', "its analysis isn't here", 'make the index with the cjk analyzer before moving'],
  ['stempel', "its analysis isn't here", 'make the index with another analyzer before moving'],
  ['attachment', "fields of type attachment aren't here", 'take the text out of files before indexing'],
  ['river', 'there are no rivers', 'send documents with a program of your own, or resilin import'],
  ['lang-', "its language isn't here", 'write the scripts as expressions or in Groovy: docs/scripts.md'],
  ['cloud-aws', "its discovery isn't here", 'keep snapshots in S3 with --repo-s3: docs/backup.md'],
  [
    'cloud-',
    "its repositories and discovery aren't here",
    'keep snapshots in a folder or in S3: docs/backup.md',
  ],
  ['repository-', "its repositories aren't here", 'keep snapshots in a folder or in S3: docs/backup.md'],
  ['hdfs', "its repositories aren't here", 'keep snapshots in a folder or in S3: docs/backup.md'],
  ['shield', "its users and roles aren't here", 'give --users: docs/security.md'],
  ['jetty', "its users aren't here", 'give --users: docs/security.md'],
  ['watcher', "its watches aren't here", 'ask from a program of your own'],
  ['marvel', "its agent isn't here", 'read /_prometheus/metrics: docs/observability.md'],
];

/** What of the whole server will differ. */
export function findingsOf(inventory: Inventory): Finding[] {
  return [
    ...inventory.plugins.map(ofPlugin),
    ...ofSettings(inventory),
    ...inventory.rivers.map((name) => ({
      about: `river ${name}`,
      what: 'there are no rivers',
      todo: 'send its documents with a program of your own, or resilin import',
      isLoss: true,
    })),
    ...inventory.indices.flatMap(ofIndex),
  ];
}

/** Names of settings that are told. */
const MOST_NAMES = 5;

function ofSettings({ fileSettings, clusterSettings }: Inventory): Finding[] {
  const findings: Finding[] = [];
  const told = (names: readonly string[]) =>
    names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ' and others' : '');
  if (fileSettings.length > 0)
    findings.push({
      about: "the old server's elasticsearch.yml",
      what: `what it says about all indices isn't moved: ${told(fileSettings)}`,
      todo: 'put it into the settings of the indices that need it, or into a template',
      isLoss: false,
    });
  if (clusterSettings.length > 0)
    findings.push({
      about: 'settings of the cluster',
      what: `they aren't moved: ${told(clusterSettings)}`,
      todo: 'PUT /_cluster/settings what you need',
      isLoss: false,
    });
  return findings;
}

function ofPlugin({ name, isSite }: Plugin): Finding {
  const known = PLUGINS.find(([part]) => name.toLowerCase().includes(part));
  const [, what, todo] =
    known ??
    (isSite ? PLUGINS[0]! : ['', "plugins of Java don't run here", 'see whether anything of yours needs it']);
  return { about: `plugin ${name}`, what, todo, isLoss: false };
}

function ofIndex(index: OldIndex): Finding[] {
  const about = `index ${index.name}`;
  if (index.missingShards > 0)
    return [
      {
        about: `index ${index.name}`,
        what: `${index.missingShards} of its shards aren't there, so it can't be read whole`,
        todo: `mend it (GET /_cluster/health?level=shards), or leave it out: --index '*,-${index.name}'`,
        isLoss: true,
      },
    ];
  if (index.isClosed)
    return [
      {
        about,
        what: "it is closed, so it can't be read",
        todo: `POST /${index.name}/_open there, then move it`,
        isLoss: true,
      },
    ];
  const findings: Finding[] = [];
  if (index.blocks.length > 0)
    findings.push({
      about,
      what: `${index.blocks.join(', ')} isn't set here, so that documents can come`,
      todo: 'set it when all is moved',
      isLoss: false,
    });
  for (const [type, mapping] of Object.entries(index.mappings))
    findings.push(...ofMapping(`${about}, type ${type}`, mapping));
  return findings;
}

function ofMapping(about: string, mapping: Bag): Finding[] {
  const {
    _source = {},
    _routing = {},
    _timestamp = {},
    transform,
  } = mapping as Record<string, Bag | undefined>;
  const findings: Finding[] = [];
  if (isNo(_source.enabled))
    findings.push({
      about,
      what: "_source is disabled, so its documents can't be read",
      todo: 'index them again from where they came from',
      isLoss: true,
    });
  const parts = [...listOf(_source.excludes), ...listOf(_source.includes)];
  if (parts.length > 0)
    findings.push({
      about,
      what: `_source has only a part of each document (${parts.join(', ')}): fields that it leaves out are not found here`,
      todo: 'index the documents again from where they came from',
      isLoss: true,
    });
  if (isNo(_routing.store))
    findings.push({
      about,
      what: "routing isn't stored, so documents lose it, and --delete deletes nothing in this index",
      todo: 'index them again from where they came from',
      isLoss: true,
    });
  if (isYes(_timestamp.enabled) && isNo(_timestamp.index) && !isYes(_timestamp.store))
    findings.push({
      about,
      what: 'timestamps are neither indexed nor stored, so documents get new ones',
      todo: 'nothing can be done',
      isLoss: true,
    });
  if (transform !== undefined)
    findings.push({
      about,
      what: "scripts of transform don't run here, so fields that they make aren't found",
      todo: 'put such fields into documents before they are sent',
      isLoss: true,
    });
  return findings;
}

/** Whether documents of an index can be asked for: without their routing they may not be found where they are. */
export function hasRouting({ mappings }: OldIndex): boolean {
  return !Object.values(mappings).some(({ _routing }) => isNo((_routing as Bag | undefined)?.store));
}

const listOf = (value: unknown): string[] =>
  value === undefined || value === null ? [] : [value].flat().map(String);
/** 1.7 shows booleans as they were sent. */
const isNo = (value: unknown) => ['false', 'no', 'off', '0'].includes(String(value));
const isYes = (value: unknown) => ['true', 'yes', 'on', '1'].includes(String(value));
