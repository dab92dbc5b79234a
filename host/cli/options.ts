/** Flags and environment of the command. */

import { nearestName } from '../server/nearestName.js';
import type { PackageOptions } from './packageCommand.js';
import { FLAGS, SWITCHES } from './serverSettings.js';
import { type ParsedUsersCommand, parseUsersCommand } from './usersOptions.js';

/** Flags by their names without dashes, a file of settings, and what is wrong with what was typed. */
interface ServeCommand<K> {
  kind: K;
  flags: Record<string, string>;
  file: string | undefined;
  mistakes: string[];
}

/** What the command was asked for. */
export type Command =
  | ServeCommand<'serve' | 'config'>
  | { kind: 'configHelp' }
  | ParsedUsersCommand
  | { kind: 'check'; folder: string }
  | { kind: 'checkHelp' }
  | { kind: 'package'; options: PackageOptions }
  | { kind: 'packageHelp' }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'mistake'; message: string };

export const HELP = `resilin - a search server that speaks the Elasticsearch 1.7 interface

  resilin [--port 9200] [--host 127.0.0.1] [--data ./data] [--threads N[,M]] [--cors ORIGIN]
          [--allow-host NAME[,NAME]] [--repo FOLDER[,FOLDER]] [--repo-s3 BUCKET[,BUCKET]]
          [--repo-url URL[,URL]] [--log LEVEL] [--log-format text|json]
          [--users FILE] [--tls-cert FILE --tls-key FILE] [--audit FILE] [--config FILE]
          [--cluster-name NAME] [--node-name NAME] [--no-console] [--cluster nats://HOST:PORT[,…]]
          [--no-data] [--node-attr NAME=VALUE[,…]] [--grace TIME]
  resilin config                       what is in force, and where it comes from; takes the same flags
  resilin health                       whether it answers; takes the same flags, or --url for nodes of a
                                       cluster
  resilin user add|list|remove ...     who may ask for what; see resilin user --help
  resilin key add|list|remove ...
  resilin import FILE... --index I     files into an index; see resilin import --help
  resilin check FOLDER                 what of a stopped server's folder is damaged
  resilin export INDEX [-o FILE]       documents of an index as JSON lines; see resilin export --help
  resilin copy FROM TO                 an index of a server into another; see resilin copy --help
  resilin migrate OLD_URL              all of an Elasticsearch 1.x to Resilin; see resilin migrate --help
  resilin package INDEX|URL FILE       an index as one file, for browsers; see resilin package --help
  resilin cluster repair [INDEX]       logs that were lost; see resilin cluster --help
  resilin bench                        how fast the core is on this machine; see resilin bench --help
  resilin bench URL --queries FILE     how fast a server answers one's own queries

  --port N       port to listen on                                  (RESILIN_PORT, default 9200)
  --host H       address to listen on; 0.0.0.0 opens it to others,
                 who may do everything without --users              (RESILIN_HOST, default 127.0.0.1)
  --data FOLDER  where everything is kept; :memory: keeps nothing   (RESILIN_DATA, default ./data)
  --config FILE  settings in YAML, by the names of flags or of an
                 elasticsearch.yml; flags and variables win      (RESILIN_CONFIG, default resilin.yml if
                                                                     there is one)
  --cluster-name, --node-name
                 as answers show them  (RESILIN_CLUSTER_NAME, default elasticsearch; RESILIN_NODE_NAME,
                                                                     default Resilin)
  --cluster URLS
                 be a node of the cluster of that name, which these NATS
                 servers hold together; it is connected to the first
                 that answers, so name the nearest first
                 (docs/cluster.md)                                  (RESILIN_CLUSTER)
  --no-data      a node of the cluster without copies of shards: it takes
                 requests, others have the documents      (RESILIN_NODE_DATA=false)
  --node-attr NAME=VALUE[,…]
                 what settings of allocation may name, such as zone=a
                                                             (RESILIN_NODE_ATTR)
  --grace TIME   others make the copies of a node that went after this
                 time                                 (RESILIN_GRACE, default 60s)
  --nats-creds FILE, --nats-nkey FILE, --nats-ca FILE, --nats-cert FILE, --nats-key FILE
                 who this node is to NATS, and whom it trusts       (RESILIN_NATS_CREDS ...)
  --threads N,M  data workers, and threads that accept connections  (RESILIN_THREADS, default half of the
                                                                     cores each; cores - 1 and 1 below 4)
  --result-cache MB
                 for results of searches that come again, in each data
                 worker; 0 computes all of them                (RESILIN_RESULT_CACHE, default 4)
  --search-copies N
                 further data workers that search the same shard when
                 its own has others to search; each holds its segments
                 in memory once more                         (RESILIN_SEARCH_COPIES, default 0)
  --script-inline on, --script-indexed on, --scripts FOLDER
                 let scripts in Groovy run: those in requests, those
                 that were stored, files NAME.groovy (RESILIN_SCRIPT_INLINE, RESILIN_SCRIPT_INDEXED,
                                                                     RESILIN_SCRIPTS)
  --repo FOLDERS where snapshots may be kept, as path.repo; several with
                 commas between                        (RESILIN_REPO, default DATA/repositories)
  --repo-s3 B    buckets that snapshots may be kept in: s3://BUCKET/PREFIX,
                 or https://HOST/BUCKET/PREFIX; several with commas
                 between                                 (RESILIN_REPO_S3)
  --repo-url U   addresses below which there are repositories that are
                 read: https://HOST/PATH/; several with commas between (RESILIN_REPO_URL)
  --cors ORIGIN  let pages of other origins in: *, an origin, or
                 /a regular expression/; nobody by default          (RESILIN_CORS)
  --allow-host N a name that requests may be addressed to, besides
                 localhost, addresses and --host; several with commas
                 between; *.example.org is all below it    (RESILIN_ALLOW_HOST)
  --no-console   serve no console: browsers that come to the address see
                 JSON, as other clients do            (RESILIN_CONSOLE=false)
  --log LEVEL    of the log on stderr: silent, error, warn, info,
                 debug (every answer) or trace                      (RESILIN_LOG, default info)
  --log-format F text for people, json for programs   (RESILIN_LOG_FORMAT, default text on a terminal,
                                                                     json elsewhere)
  --users FILE   let only these users and API keys in, as far as their
                 grants go; read again at SIGHUP                    (RESILIN_USERS)
  --audit FILE   write down who did what to which index, refused or not:
                 lines of JSON, a new file every 64 MB                (RESILIN_AUDIT)
  --tls-cert F   speak https with this certificate, a PEM file that may
                 hold its issuers' too; read again at SIGHUP        (RESILIN_TLS_CERT)
  --tls-key F    the certificate's key, a PEM file                  (RESILIN_TLS_KEY)
  --version      print the version and leave
  --help         print this and leave

A first conversation:

  curl -XPUT  localhost:9200/books
  curl -XPUT  localhost:9200/books/book/1?refresh=true -d '{"title": "The name of the rose"}'
  curl        'localhost:9200/books/_search?pretty' -d '{"query": {"match": {"title": "rose"}}}'

Ctrl-C (SIGINT) or SIGTERM finishes what is under way and stops. What was acknowledged is on disk in any case.
`;

/** Reads the arguments; flags win over the environment. */
export function parseCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Command {
  const [topic, ...rest] = args;
  if (topic === 'check') return parseCheck(rest);
  // An export to a file without -o is a package.
  if (topic === 'package' || topic === 'export') return parsePackage(rest, env);
  if (topic === 'user' || topic === 'key') return parseUsersCommand(topic, rest, env);
  return topic === 'config' ? parseServe('config', rest, env) : parseServe('serve', args, env);
}

/** Reads the flags of a server; what they say is looked at together with the environment and the file. */
export function parseServe<K extends 'serve' | 'config' | 'health'>(
  kind: K,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ServeCommand<K> | { kind: 'help' | 'configHelp' | 'version' } {
  const flags: Record<string, string> = {};
  const mistakes: string[] = [];
  let file = env.RESILIN_CONFIG || undefined;
  for (let i = 0; i < args.length; i++) {
    const [flag, inline] = splitFlag(args[i]!);
    if (flag === '--help' || flag === '-h') return { kind: kind === 'serve' ? 'help' : 'configHelp' };
    if (flag === '--version') return { kind: 'version' };
    const name = flag.slice(2);
    const switched = flag.startsWith('--') ? SWITCHES.get(name) : undefined;
    if (switched !== undefined) {
      if (inline === undefined) flags[switched] = 'false';
      else mistakes.push(`${flag} takes no value`);
      continue;
    }
    if (!flag.startsWith('--') || (name !== 'config' && !FLAGS.includes(name))) {
      const nearest = flag.startsWith('--')
        ? nearestName(name, [...FLAGS, ...SWITCHES.keys(), 'config'])
        : undefined;
      mistakes.push(`unknown argument ${args[i]}${nearest === undefined ? '' : `; is --${nearest} meant?`}`);
      // Whatever stands behind may be its value.
      if (inline === undefined && args[i + 1]?.startsWith('--') === false) i++;
      continue;
    }
    const value = inline ?? args[++i];
    if (value === undefined || value === '') mistakes.push(`${flag} needs a value`);
    else if (name === 'config') file = value;
    else flags[name] = value;
  }
  return { kind, flags, file, mistakes };
}

function splitFlag(arg: string): [string, string | undefined] {
  const at = arg.indexOf('=');
  return arg.startsWith('--') && at > 0 ? [arg.slice(0, at), arg.slice(at + 1)] : [arg, undefined];
}

function mistake(message: string): Command {
  return { kind: 'mistake', message };
}

/** Reads the arguments behind `check`. */
function parseCheck(args: readonly string[]): Command {
  if (args.includes('--help') || args.includes('-h')) return { kind: 'checkHelp' };
  const [folder, ...more] = args;
  if (folder === undefined || folder.startsWith('--'))
    return { kind: 'mistake', message: 'check which folder?' };
  if (more.length > 0) return { kind: 'mistake', message: `check one folder: what is ${more[0]}?` };
  return { kind: 'check', folder };
}

/** Reads the arguments behind `package`. */
function parsePackage(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Command {
  let data = env.RESILIN_DATA || './data';
  const names: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const [flag, inline] = splitFlag(args[i]!);
    if (flag === '--help' || flag === '-h') return { kind: 'packageHelp' };
    if (!flag.startsWith('--')) {
      names.push(args[i]!);
      continue;
    }
    if (flag !== '--data') return mistake(`unknown argument ${args[i]}`);
    const value = inline ?? args[++i];
    if (value === undefined || value === '') return mistake('--data needs a value');
    data = value;
  }
  const [index, file, ...more] = names;
  if (index === undefined || file === undefined) return mistake('package which index to which file?');
  if (more.length > 0) return mistake(`package one index to one file: what is ${more[0]}?`);
  const authorization = env.RESILIN_AUTHORIZATION || undefined;
  return {
    kind: 'package',
    options: { index, file, data, ...(authorization === undefined ? {} : { authorization }) },
  };
}
