/** The commands that keep the file of users and API keys, as they are typed. */
import { CLUSTER_LEVELS, type ClusterLevel, INDEX_LEVELS, type IndexGrant } from '../security/grants.js';
import { isIndexPattern, isUserName } from '../server/access/usersFile.js';

/** What to do with the file. */
export type UsersCommand = { file: string } & (
  | {
      what: 'addUser' | 'addKey';
      name: string;
      grants: readonly IndexGrant[];
      cluster: ClusterLevel;
      /** Another password and other grants for a user who is there. */
      replace: boolean;
    }
  | { what: 'listUsers' | 'listKeys' }
  | { what: 'removeUser' | 'removeKey'; name: string }
);

export type ParsedUsersCommand =
  | { kind: 'users'; command: UsersCommand }
  | { kind: 'usersHelp' }
  | { kind: 'mistake'; message: string };

export const USERS_HELP = `resilin user, resilin key - who may ask a resilin server for what

  resilin user add NAME [--grant NAMES:LEVEL]... [--cluster LEVEL] [--replace] --users FILE
  resilin user list|remove NAME --users FILE
  resilin key  add NAME [--grant NAMES:LEVEL]... [--cluster LEVEL] --users FILE
  resilin key  list|remove ID --users FILE

  --grant N:L    a level over indices and aliases of these names, which may have
                 a *, several with commas between:
                   read    search, get, count, show mappings and settings
                   write   read, and index, update and delete documents, which
                           also makes an index that is not there
                   manage  write, and create, change, close and delete indices
  --cluster L    none (the default), monitor: states and stats of the server and
                 of all indices; manage: monitor, and settings, templates, stored
                 scripts, and snapshots of whatever index
  --replace      the user is there: give another password and other grants
  --users FILE   the file, made if need be; its owner's alone       (RESILIN_USERS)

A password is asked for, or is the first line of the input; it is never an argument,
where others could see it. The secret of a key is shown once. A server that runs takes
the changes when it is sent SIGHUP.

  resilin user add ann --grant 'logs-*,metrics:read' --cluster monitor --users users.json
  resilin key add shipper --grant 'logs-*:write' --users users.json
  resilin --users users.json
  curl -u ann localhost:9200/logs-2026/_search
  curl -H 'Authorization: ApiKey …' localhost:9200/_bulk --data-binary @lines.json
`;

/** Reads the arguments behind `user` or `key`. */
export function parseUsersCommand(
  topic: 'user' | 'key',
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ParsedUsersCommand {
  const words: string[] = [];
  const grants: IndexGrant[] = [];
  let cluster: ClusterLevel = 'none';
  let file = env.RESILIN_USERS;
  let replace = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--help' || arg === '-h') return { kind: 'usersHelp' };
    if (!arg.startsWith('--')) {
      words.push(arg);
      continue;
    }
    const at = arg.indexOf('=');
    const flag = at < 0 ? arg : arg.slice(0, at);
    if (flag === '--replace' && at < 0) {
      replace = true;
      continue;
    }
    if (!['--grant', '--cluster', '--users'].includes(flag)) return mistake(`unknown argument ${flag}`);
    const value = at < 0 ? args[++i] : arg.slice(at + 1);
    if (!value) return mistake(`${flag} needs a value`);
    if (flag === '--users') file = value;
    else if (flag === '--grant') {
      const grant = parseGrant(value);
      if (grant === undefined)
        return mistake(`--grant must be names, a colon and one of ${INDEX_LEVELS.join(', ')}, not ${value}`);
      grants.push(grant);
    } else {
      const level = CLUSTER_LEVELS.find((each) => each === value);
      if (level === undefined)
        return mistake(`--cluster must be one of ${CLUSTER_LEVELS.join(', ')}, not ${value}`);
      cluster = level;
    }
  }
  const [verb, name, ...more] = words;
  if (verb === undefined) return { kind: 'usersHelp' };
  if (!file) return mistake('--users says which file is meant');
  if (more.length > 0) return mistake(`unknown argument ${more[0]}`);
  const about = topic === 'user' ? 'User' : 'Key';
  if (verb === 'list' && name === undefined)
    return { kind: 'users', command: { what: `list${about}s`, file } };
  if (verb !== 'add' && verb !== 'remove') return mistake(`resilin ${topic} knows add, list and remove`);
  if (name === undefined) return mistake(`resilin ${topic} ${verb} needs a name`);
  if (!isUserName(name)) return mistake(`${JSON.stringify(name)} can't be a name`);
  if (verb === 'remove') return { kind: 'users', command: { what: `remove${about}`, name, file } };
  if (replace && topic === 'key') return mistake('--replace is for users; add another key instead');
  return { kind: 'users', command: { what: `add${about}`, name, grants, cluster, replace, file } };
}

function parseGrant(text: string): IndexGrant | undefined {
  const at = text.lastIndexOf(':');
  const access = INDEX_LEVELS.find((each) => each === text.slice(at + 1));
  const indices = text.slice(0, Math.max(0, at)).split(',');
  return access !== undefined && indices.every(isIndexPattern) ? { indices, access } : undefined;
}

function mistake(message: string): ParsedUsersCommand {
  return { kind: 'mistake', message };
}
