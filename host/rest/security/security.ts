/** Users and API keys: who there is, what each may do, and changes of that. 1.7 has none of it without Shield. */
import { ElasticsearchError, illegalArgument, noContent } from '../../errors.js';
import type { Grants } from '../../security/grants.js';
import type { KnownKey, UserAdministration } from '../../security/userAdministration.js';
import { parseBody } from '../body.js';
import type { EndpointGroup, Handler } from '../endpoint.js';
import type { Json } from '../json.js';
import { json, type RestResponse, type RoutedRequest } from '../request.js';

const USER = '/_security/user/{name}';
const KEY = '/_security/api_key/{id}';
const ADMIN = {
  privilege: 'cluster:manage',
  pool: 'management',
  duringRecovery: true,
  parameters: [],
} as const;

export const securityEndpoints: EndpointGroup = {
  name: 'Users and keys',
  purpose: 'Who may do what, on a server that is started with `--users`.',
  tag: 'full',
  endpoints: [
    {
      methods: ['GET'],
      paths: ['/_security/_authenticate'],
      privilege: 'authenticated',
      action: 'cluster:admin/security/authenticate',
      pool: 'management',
      parameters: [],
      readOnly: true,
      duringRecovery: true,
      handler: authenticate,
    },
    {
      ...ADMIN,
      methods: ['GET'],
      paths: ['/_security/user', USER],
      action: 'cluster:admin/security/user/get',
      readOnly: true,
      handler: administering(showUsers),
    },
    {
      ...ADMIN,
      methods: ['PUT', 'POST'],
      paths: [USER],
      action: 'cluster:admin/security/user/put',
      parameters: ['op_type'],
      handler: administering(putUser),
    },
    {
      ...ADMIN,
      methods: ['DELETE'],
      paths: [USER],
      action: 'cluster:admin/security/user/delete',
      handler: administering(removeUser),
    },
    {
      ...ADMIN,
      methods: ['GET'],
      paths: ['/_security/api_key', KEY],
      action: 'cluster:admin/security/api_key/get',
      readOnly: true,
      handler: administering(showKeys),
    },
    {
      ...ADMIN,
      methods: ['PUT', 'POST'],
      paths: ['/_security/api_key'],
      action: 'cluster:admin/security/api_key/create',
      handler: administering(addKey),
    },
    {
      ...ADMIN,
      methods: ['DELETE'],
      paths: [KEY],
      action: 'cluster:admin/security/api_key/delete',
      handler: administering(removeKey),
    },
  ],
};

/** Answers with what keeps the users. */
type Administering = (users: UserAdministration, request: RoutedRequest) => Promise<RestResponse>;

/** A handler that is refused where there are no users. */
function administering(handler: Administering): Handler {
  return (_, request) => {
    const { users } = request.node;
    if (users === undefined)
      throw new ElasticsearchError(
        'ElasticsearchIllegalStateException',
        'there are no users: the server is not started with --users',
        { status: 400 },
      );
    return handler(users, request);
  };
}

/** Who has sent the request, and what that one may do. */
function authenticate(_: unknown, request: RoutedRequest): RestResponse {
  const { principal, node } = request;
  return json(request, 200, {
    name: principal.name,
    kind: principal.kind,
    // Whether there are others, whom somebody may keep.
    has_users: node.users !== undefined,
    ...shown(principal.grants),
  });
}

async function showUsers(users: UserAdministration, request: RoutedRequest): Promise<RestResponse> {
  const all = await users.users();
  return found(request, all, request.path.name, shown);
}

async function showKeys(users: UserAdministration, request: RoutedRequest): Promise<RestResponse> {
  const all = await users.keys();
  return found(request, all, request.path.id, ({ name, created, ...grants }: KnownKey) => ({
    name,
    created,
    ...shown(grants),
  }));
}

/** All, or the one that is asked for. */
function found<T>(
  request: RoutedRequest,
  all: ReadonlyMap<string, T>,
  wanted: string | undefined,
  show: (entry: T) => Json,
): RestResponse {
  if (wanted === undefined)
    return json(request, 200, Object.fromEntries([...all].map(([name, entry]) => [name, show(entry)])));
  const entry = all.get(wanted);
  return entry === undefined
    ? json(request, 404, { found: false })
    : json(request, 200, { [wanted]: show(entry) });
}

function shown({ grants, cluster }: Grants): Record<string, Json> {
  return {
    grants: grants.map(({ indices, access }) => ({ indices: [...indices], access })),
    cluster,
  };
}

async function putUser(users: UserAdministration, request: RoutedRequest): Promise<RestResponse> {
  const operation = request.query.get('op_type') ?? 'index';
  if (operation !== 'index' && operation !== 'create')
    throw illegalArgument(`op_type must be index or create, not ${operation}`);
  const created = await users.putUser(request.path.name!, fieldsOf(request), operation === 'create');
  return json(request, created ? 201 : 200, { user: request.path.name!, created });
}

async function removeUser(users: UserAdministration, request: RoutedRequest): Promise<RestResponse> {
  const removed = await users.removeUser(request.path.name!);
  return json(request, removed ? 200 : 404, { found: removed });
}

async function addKey(users: UserAdministration, request: RoutedRequest): Promise<RestResponse> {
  const fields = fieldsOf(request);
  const { id, secret } = await users.addKey(fields);
  return json(request, 201, {
    id,
    name: String(fields.name),
    api_key: secret,
    // What stands behind `ApiKey` in the header.
    encoded: btoa(`${id}:${secret}`),
  });
}

async function removeKey(users: UserAdministration, request: RoutedRequest): Promise<RestResponse> {
  const removed = await users.removeKey(request.path.id!);
  return json(request, removed ? 200 : 404, { found: removed });
}

function fieldsOf(request: RoutedRequest): Record<string, unknown> {
  const body = parseBody(request);
  if (body === undefined) throw noContent();
  return body;
}
