/** Mappings: put, get, get by field, delete. */
import { type ElasticsearchError, parseFailure, validationFailed } from '../../errors.js';
import { deleteByType } from '../../engine/deletion.js';
import type { Engine } from '../../engine/engine.js';
import { NO_FORMAT, nullPointer } from '../../compat17/javaCasts.js';
import { nameOptions } from '../../metadata/names.js';
import { wildcard } from '../../text/wildcard.js';
import type { LeafField } from '../../mapping/field.js';
import type { ObjectField } from '../../mapping/objects.js';
import { type IsDue, longPart, Passes } from '../../passes.js';
import type { Turns } from '../../workLimit.js';
import { parseBody, readFrom } from '../body.js';
import type { Json } from '../json.js';
import { metaFieldMappings } from './metaFieldMappings.js';
import { acknowledged, flag, json, type RestResponse, type RoutedRequest } from '../request.js';
import { type EndpointGroup, INDICES_OPTIONS, ofIndices } from '../endpoint.js';
import { putOwn } from '../../ownNames.js';

const CHANGE = {
  privilege: 'manage',
  action: 'indices:admin/mapping/put',
  pool: 'management',
  masterTimeout: true,
} as const;
const SHOW = {
  methods: ['GET'],
  privilege: 'metadata',
  pool: 'management',
  ignored: ['local', 'timeout', 'master_timeout'],
  readOnly: true,
} as const;

export const mappingEndpoints: EndpointGroup = {
  name: 'Mappings',
  purpose: 'What the fields of a type are.',
  tag: 'core',
  endpoints: [
    {
      ...CHANGE,
      methods: ['PUT', 'POST'],
      paths: ['_mapping', '_mappings'].flatMap((name) => [
        `/${name}`,
        `/${name}/{type}`,
        `/{index}/${name}`,
        `/{index}/${name}/{type}`,
        `/{index}/{type}/${name}`,
      ]),
      parameters: ['ignore_conflicts', ...INDICES_OPTIONS],
      body: 'json',
      handler: putMapping,
    },
    {
      ...CHANGE,
      methods: ['DELETE'],
      paths: [
        '/{index}/{type}',
        ...['_mapping', '_mappings'].flatMap((name) => [
          `/{index}/${name}`,
          `/{index}/${name}/{type}`,
          `/{index}/{type}/${name}`,
        ]),
      ],
      action: 'indices:admin/mapping/delete',
      parameters: INDICES_OPTIONS,
      handler: remove,
    },
    {
      ...SHOW,
      paths: ['_mapping', '_mappings'].flatMap((name) => [
        `/${name}`,
        `/${name}/{type}`,
        `/{index}/${name}`,
        `/{index}/${name}/{type}`,
        `/{index}/{type}/${name}`,
      ]),
      action: 'indices:admin/mappings/get',
      parameters: INDICES_OPTIONS,
      handler: getMapping,
    },
    {
      ...SHOW,
      paths: [...ofIndices('/_mapping/field/{fields}'), ...ofIndices('/_mapping/{type}/field/{fields}')],
      action: 'indices:admin/mappings/fields/get',
      parameters: ['include_defaults', ...INDICES_OPTIONS],
      handler: getField,
    },
  ],
};

async function putMapping(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const body = parseBody(request, noMapping);
  const { type, index } = request.path;
  const problems: string[] = [];
  if (type === undefined) problems.push('mapping type is missing');
  if (body === undefined) problems.push('mapping source is empty');
  if (problems.length > 0) throw validationFailed(...problems);
  const defaults = { expandClosed: true, allowNoIndices: false };
  const indices = engine.resolve(index, nameOptions(request.query, defaults));
  const options = { ignoreConflicts: flag(request.query, 'ignore_conflicts') };
  await engine.cluster.putMapping(indices, type!, body, options);
  return acknowledged(request);
}

/** What can't be taken for content at all is nothing to 1.7, which reads mappings compressed. */
function noMapping(cause: ElasticsearchError): ElasticsearchError {
  if (cause.exception !== 'JsonParseException') return nullPointer(NO_FORMAT);
  const source = `org.elasticsearch.common.compress.lzf.LZFCompressedStreamInput@${'0'.repeat(8)}`;
  return parseFailure('Failed to parse content to map', readFrom(source, cause));
}

/** Whether a type is one of those that a comma list of patterns means; undefined means all. */
function typeFilter(list: string | undefined): (type: string) => boolean {
  if (list === undefined || list === '_all' || list === '*') return () => true;
  const tests = list.split(',').map(wildcard);
  return (type) => tests.some((test) => test(type));
}

async function getMapping(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  return json(request, 200, await new Passes(request.limit).run(() => mappingsOf(engine, request)));
}

function mappingsOf(engine: Engine, request: RoutedRequest): Json {
  const { index, type } = request.path;
  const wanted = typeFilter(type);
  const out: Record<string, Json> = {};
  for (const each of engine.resolve(index, nameOptions(request.query), 'metadata_read')) {
    const all = Object.entries(each.model.toJSON() as Record<string, Json>);
    const mappings = Object.fromEntries(all.filter(([name]) => wanted(name)));
    if (type === undefined || Object.keys(mappings).length > 0) out[each.name] = { mappings };
  }
  return out;
}

async function getField(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { status, fields } = await new Passes(request.limit).run(() => fieldsOf(engine, request));
  return json(request, status, fields);
}

/** Fields by full name, by index name or by their last part, all by patterns. */
function fieldsOf(engine: Engine, request: RoutedRequest): { status: number; fields: Json } {
  const { path, query } = request;
  const wanted = typeFilter(path.type);
  const names = path.fields!.split(',');
  const all = flag(query, 'include_defaults');
  const out: Record<string, Json> = {};
  const indices = engine.resolve(path.index, nameOptions(query), 'metadata_read');
  let types = 0;
  for (const { name, model, closed } of indices) {
    if (closed) continue;
    const mappings: Record<string, Json> = {};
    const shown = model.toJSON();
    for (const type of model.typeNames().filter(wanted)) {
      types++;
      const { root } = model.type(type)!;
      const found = longPart(root, path.fields!, (isDue) =>
        fieldsFound(root, shown[type], names, all, isDue),
      );
      if (Object.keys(found).length > 0) mappings[type] = found;
    }
    if (Object.keys(mappings).length > 0) out[name] = { mappings };
  }
  const single = indices.length === 1 && types === 1 && names.length === 1;
  const status = Object.keys(out).length > 0 || single ? 200 : 404;
  return { status, fields: out };
}

/** Steps of a work limit that a field takes for a pattern, and to be shown. */
const FIELD_STEPS = 4;

/** What is shown of the fields of a type, by name. */
function* fieldsFound(
  root: ObjectField,
  shown: unknown,
  names: readonly string[],
  all: boolean,
  isDue: IsDue,
): Turns<Record<string, Json>> {
  const found: Record<string, Json> = {};
  const leaves = [...root.leaves()];
  for (const pattern of names) {
    const meta = metaFieldMappings(shown, wildcard(pattern), all);
    for (const [as, mapping] of meta) putOwn(found, as, mapping);
    for (const [as, leaf] of yield* find(leaves, pattern, isDue)) {
      if (!Object.hasOwn(found, as)) putOwn(found, as, show(leaf, all));
      if (isDue(FIELD_STEPS)) yield;
    }
  }
  return found;
}

/** Fields by full name, the rest of them by index name, and what is left by the last part of the name. */
function* find(
  leaves: readonly LeafField[],
  pattern: string,
  isDue: IsDue,
): Turns<ReadonlyMap<string, LeafField>> {
  const test = wildcard(pattern);
  const found = new Map<string, LeafField>();
  let rest = leaves;
  for (const nameOf of NAMES) {
    const left: LeafField[] = [];
    for (const leaf of rest) {
      const name = nameOf(leaf);
      if (name === undefined || !test(name)) left.push(leaf);
      else if (!found.has(name)) found.set(name, leaf);
      if (isDue(FIELD_STEPS)) yield;
    }
    rest = left;
    if (found.size > 0 && !pattern.includes('*')) break;
  }
  return found;
}

const NAMES: readonly ((leaf: LeafField) => string | undefined)[] = [
  ({ fullName }) => fullName,
  ({ indexName }) => indexName,
  ({ shortName }) => shortName,
];

function show(leaf: LeafField, all: boolean): Json {
  return { full_name: leaf.fullName, mapping: { [leaf.shortName]: leaf.toJSON(all) as Json } };
}

async function remove(engine: Engine, request: RoutedRequest): Promise<RestResponse> {
  const { index, type } = request.path;
  // Without a type, the path's last part is taken for one, and no type can have such a name.
  const types = (type ?? '_mapping').split(',');
  engine.cluster.stored.checkNamed(index);
  const indices = engine.resolve(index, nameOptions(request.query, { allowNoIndices: false }));
  const found = engine.cluster.typesOf(indices, types);
  for (const [each, types] of found) {
    if (types.length === 0) continue;
    each.checkBlock('metadata_write');
    await deleteByType(engine, each, types);
    await engine.cluster.deleteTypes(each, types);
  }
  return acknowledged(request);
}
