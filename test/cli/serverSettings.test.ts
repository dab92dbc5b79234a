import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { HELP, parseCommand } from '../../host/cli/options.js';
import { FLAGS, serverSettings } from '../../host/cli/serverSettings.js';
import { readSettingsFile } from '../../host/cli/settingsFile.js';
import { serverFile } from '../support/server.js';

const main = await serverFile();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Env = Readonly<Record<string, string>>;

/** The settings of a file with these lines, which messages call `F`. */
async function ofFile(lines: string, flags: Record<string, string> = {}, env: Env = {}) {
  const path = join(folder, 'file.yml');
  writeFileSync(path, lines);
  const settings = serverSettings(flags, env, await readSettingsFile(path, env));
  const named = (texts: string[]) => texts.map((text) => text.replaceAll(path, 'F'));
  return { ...settings, problems: named(settings.problems), warnings: named(settings.warnings) };
}

describe('flags and variables', () => {
  const read = (args: string[], env: Env = {}) => {
    const command = parseCommand(args, env);
    if (command.kind !== 'serve') throw new Error(command.kind);
    const settings = serverSettings(command.flags, env, undefined);
    return { ...settings, problems: [...command.mistakes, ...settings.problems] };
  };

  it('win over defaults, flags first', () => {
    expect(read([])).toMatchObject({
      options: { port: 9200, host: '127.0.0.1', data: './data', repositories: [], http: { hosts: [] } },
      log: 'info',
      logFormat: undefined,
      problems: [],
      warnings: [],
    });
    expect(read([]).options).not.toHaveProperty('threads');
    const env = { RESILIN_PORT: '2', RESILIN_HOST: '::1', RESILIN_DATA: '', RESILIN_LOG_FORMAT: 'json' };
    expect(read(['--port=1', '--threads', '3,2', '--cluster-name', 'ours'], env)).toMatchObject({
      options: { port: 1, host: '::1', data: './data', threads: 3, coordinators: 2, cluster: 'ours' },
      logFormat: 'json',
    });
    expect(parseCommand(['--help'], {}).kind).toBe('help');
    expect(parseCommand(['config', '--help'], {}).kind).toBe('configHelp');
    expect(parseCommand(['--port', '1', '--version'], {}).kind).toBe('version');
    expect(parseCommand(['--config', 'x.yml'], {})).toMatchObject({ file: 'x.yml' });
  });

  it('switch the console off', () => {
    expect(read([]).options.http).not.toHaveProperty('console');
    expect(read([]).inForce).toContainEqual({ name: 'console', value: 'true', from: 'default' });
    const off = read(['--no-console', '--port', '1']);
    expect(off).toMatchObject({ options: { port: 1, http: { console: false } }, problems: [] });
    expect(off.inForce).toContainEqual({ name: 'console', value: 'false', from: '--no-console' });
    expect(read([], { RESILIN_CONSOLE: 'false' }).options.http).toHaveProperty('console', false);
    expect(read(['--no-console'], { RESILIN_CONSOLE: 'true' }).options.http).toHaveProperty('console', false);
    expect(read(['--no-console=yes', '--no-consol'], { RESILIN_CONSOLE: 'maybe' }).problems).toEqual([
      '--no-console takes no value',
      'unknown argument --no-consol; is --no-console meant?',
      'RESILIN_CONSOLE must be one of true, false, not maybe',
    ]);
  });

  it('have the addresses that repositories may be at', () => {
    const given = ['--repo-url', 'https://example.org/a/*,http://10.0.0.7/b'];
    expect(read(given).options.urlRepositories).toEqual(['https://example.org/a/*', 'http://10.0.0.7/b']);
    expect(read(['--repo-url', 'https://*.example.org/']).problems).toEqual([
      '--repo-url must be https://HOST/PATH/ or http://HOST/PATH/, or several of them with commas between, not https://*.example.org/',
    ]);
  });

  it('have the buckets that repositories may be in', () => {
    const repositories = 's3://backups/search, https://minio.example.org/backups';
    expect(read([`--repo-s3=${repositories}`]).options.s3Repositories).toEqual([
      's3://backups/search',
      'https://minio.example.org/backups',
    ]);
    expect(read([]).options).not.toHaveProperty('s3Repositories');
    expect(read([], { RESILIN_REPO_S3: 's3://a b' }).problems).toEqual([
      'RESILIN_REPO_S3 must be s3://BUCKET/PREFIX or https://HOST/BUCKET/PREFIX, or several of them with commas between, not s3://a b',
    ]);
  });

  it('are refused, all at once, where they mean nothing', () => {
    const wrong = ['--port', 'x', '--prot', '1', '--log=loud', '--tls-cert', 'c', '--threads', '0', '--host'];
    expect(read(wrong, { RESILIN_RESULT_CACHE: '-1', RESILIN_CORS: '/(/' }).problems).toEqual([
      'unknown argument --prot; is --port meant?',
      '--host needs a value',
      '--port must be a number from 0 to 65535, not x',
      '--threads must be a number from 1 to 256, or two of them with a comma between, not 0',
      'RESILIN_RESULT_CACHE must be a number of megabytes from 0 to 1024, not -1',
      'RESILIN_CORS must be an origin or a /pattern/, not /(/',
      '--log must be one of silent, error, warn, info, debug, trace, not loud',
      '--tls-cert and --tls-key go together',
    ]);
    expect(read(['serve']).problems).toEqual(['unknown argument serve']);
  });
});

describe('a file of settings', () => {
  it('has the names of flags, of variables and of an elasticsearch.yml, nested or with dots', async () => {
    const { options, log, logFormat, problems, warnings } = await ofFile(
      `
port: 9300
RESILIN_RESULT_CACHE: 8
allow_host: [a.example, b.example]
log: debug
log-format: text
cluster:
  name: Die Bücherei
node.name: \${NAME}-1
path: {data: /var/lib/resilin, repo: ["/a", "/b"]}
network.host: 0.0.0.0
http:
  max_content_length: 20mb
  cors:
    enabled: true
    allow-origin: /https?:..localhost/
    allow-credentials: true
    max-age: 60
`,
      {},
      { NAME: 'n' },
    );
    expect([problems, warnings]).toEqual([[], []]);
    expect({ log, logFormat }).toEqual({ log: 'debug', logFormat: 'text' });
    expect(options).toEqual({
      port: 9300,
      host: '0.0.0.0',
      data: '/var/lib/resilin',
      repositories: ['/a', '/b'],
      cluster: 'Die Bücherei',
      node: 'n-1',
      resultCache: 8,
      http: {
        hosts: ['a.example', 'b.example'],
        maxBody: 20 * 1024 * 1024,
        cors: {
          allowOrigin: '/https?:..localhost/',
          allowCredentials: true,
          maxAge: 60,
        },
      },
    });
  });

  it('comes after flags and variables, and its own names before old ones', async () => {
    const lines = 'port: 1\nhttp.port: 2\nnetwork.host: a\nhttp.host: b\ndata: c\nlog: warn\n';
    const { options, log, inForce } = await ofFile(lines, { data: 'd' }, { RESILIN_LOG: 'error' });
    expect([options.port, options.host, options.data, log]).toEqual([1, 'b', 'd', 'error']);
    const from = Object.fromEntries(inForce.map((setting) => [setting.name, setting.from]));
    expect([from.port, from.host, from.data, from.log, from.users]).toEqual([
      expect.stringMatching(/file\.yml:1$/),
      expect.stringMatching(/file\.yml:4$/),
      '--data',
      'RESILIN_LOG',
      'default',
    ]);
  });

  it('names what it does not understand, and refuses what is misspelt', async () => {
    const { problems, warnings } = await ofFile(`
bootstrap.mlockall: true
index: {number_of_shards: 1}
discovery.zen.ping.unicast.hosts: ["a", "b"]
readonlyrest.secret: s3cret
prot: 9300
cluster.nmae: x
nonsense: 1
port: 70000
http.port: 7
http: {port: 8}
data:
node.name: \${NOBODY}
`);
    expect(warnings).toEqual([
      "F:2: bootstrap.mlockall isn't understood: no memory is locked, and nothing is checked before the start",
      "F:3: index.number_of_shards isn't understood: it is a setting of indices: give it to each, or to all by a template",
      "F:4: discovery.zen.ping.unicast.hosts isn't understood: there is one node",
      "F:5: readonlyrest.secret isn't understood",
    ]);
    expect(problems).toEqual([
      'F:12: data needs a value',
      'F:13: there is no variable NOBODY for node.name',
      'F:6: prot is no setting; is port meant?',
      'F:7: cluster.nmae is no setting; is cluster.name meant?',
      'F:8: nonsense is no setting; resilin config shows all',
      'F:11: http.port stands in line 10 already',
      'F:9: port must be a number from 0 to 65535, not 70000',
    ]);
  });

  it('lets no page in by half of the settings that do', async () => {
    const half = await ofFile('http.cors.allow-origin: "*"\n');
    expect([half.options.http, half.warnings]).toEqual([
      { hosts: [] },
      ['F:1: http.cors.allow-origin lets nobody in without http.cors.enabled: true'],
    ]);
    const off = await ofFile('http.cors: {enabled: false, allow-origin: "*"}\n');
    expect([off.options.http, off.warnings]).toEqual([{ hosts: [] }, []]);
    const other = await ofFile('http.cors.enabled: true\n');
    expect([other.options.http, other.warnings]).toEqual([
      { hosts: [] },
      ['F:1: http.cors.enabled lets nobody in without http.cors.allow-origin'],
    ]);
    const own = await ofFile('cors: "*"\n');
    expect(own.options.http).toEqual({ hosts: [], cors: { allowOrigin: '*' } });
  });

  it('is told of by lines where it is no YAML, or no settings', async () => {
    expect((await ofFile('port: [1\nhost: a\n')).problems[0]).toMatch(/^F:\d: /);
    expect((await ofFile('- port\n')).problems).toEqual([
      'F:1: names with values are wanted, as in port: 9200',
    ]);
    expect((await ofFile('port: 1\nport: 2\n')).problems).toEqual(['F:2: Map keys must be unique']);
    expect((await ofFile('port: {x: &a 1, y: *a}\n')).problems[0]).toMatch(/^F:1: port\.y must be a text/);
    expect((await ofFile('# nothing\n')).problems).toEqual([]);
    const missing = serverSettings({}, {}, await readSettingsFile(join(folder, 'none.yml'), {}));
    expect(missing.problems).toEqual([expect.stringContaining("none.yml can't be read: ")]);
  });
});

it('are all in the help and on the page about settings', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');
  expect(FLAGS.length).toBeGreaterThan(10);
  for (const flag of FLAGS) {
    expect(HELP).toContain(`--${flag}`);
    expect(page).toContain(`\`${flag}\``);
    expect(page).toContain(`RESILIN_${flag.toUpperCase().replaceAll('-', '_')}\``);
  }
  for (const { name } of serverSettings({}, {}, undefined).inForce) expect(page).toContain(`\`${name}\``);
});

describe('the command', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [main, ...args], {
      encoding: 'utf8',
      timeout: 20_000,
      cwd: folder,
      env: { PATH: process.env.PATH, RESILIN_HOST: '::1' },
    });

  it('shows what is in force, and where it comes from', () => {
    writeFileSync(join(folder, 'resilin.yml'), 'cluster.name: ours\nindex.number_of_shards: 1\n');
    const { stdout, stderr, status } = run('config', '--port=7');
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^port +7 +--port$/),
        expect.stringMatching(/^host +::1 +RESILIN_HOST$/),
        expect.stringMatching(/^cluster-name +ours +resilin\.yml:1$/),
        expect.stringMatching(/^node-name +Resilin +default$/),
        expect.stringMatching(/^users +- +default$/),
      ]),
    );
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/^resilin: resilin\.yml:2: index\.num\S+ isn't/),
    ]);
    rmSync(join(folder, 'resilin.yml'));
  });

  it('starts nothing where something is wrong, and says all of it', () => {
    writeFileSync(join(folder, 'wrong.yml'), 'prot: 1\nlog: loud\n');
    const { stdout, stderr, status } = run('--config', 'wrong.yml', '--data=:memory:', '--port=x');
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      'resilin: wrong.yml:1: prot is no setting; is port meant?; see resilin --help\n' +
        'resilin: --port must be a number from 0 to 65535, not x; see resilin --help\n' +
        'resilin: wrong.yml:2: log must be one of silent, error, warn, info, debug, trace, not loud; see resilin --help\n',
    ]);
    expect(run('config', '--config', 'wrong.yml').status).toBe(2);
  });

  it('whose reader has enough ends as if all had been read', async () => {
    const child = spawn(process.execPath, [main, 'config'], { cwd: folder });
    child.stdout.destroy();
    const [[status], error] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
    expect([status, error]).toEqual([0, '']);
  });

  it('shows names in answers, of coordinators too, and stays at SIGHUP', async () => {
    const file = join(folder, 'names.yml');
    writeFileSync(
      file,
      'cluster.name: ours\nnode.name: first\nthreads: 1,2\nnode.rack: r1\nhttp.max_content_length: 2mb\n',
    );
    const child = spawn(process.execPath, [
      main,
      '--config',
      file,
      '--port=0',
      `--data=${join(folder, 'd')}`,
    ]);
    onTestFinished(() => void child.kill('SIGKILL'));
    let [out, log] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      log += chunk;
    });
    while (!/answers on (\S+),/.test(out)) await once(child.stdout, 'data');
    const url = /answers on (\S+),/.exec(out)![1]!;
    const get = async (path: string) => (await fetch(`${url}${path}`)).text();
    // Connections are spread over the threads.
    const roots = await Promise.all(Array.from({ length: 8 }, () => get('/')));
    for (const root of roots) expect(JSON.parse(root)).toMatchObject({ name: 'first', cluster_name: 'ours' });
    expect(JSON.parse(await get('/_cluster/health'))).toMatchObject({ cluster_name: 'ours' });
    const { cluster_name, nodes } = JSON.parse(await get('/_nodes'));
    expect(Object.values(nodes)).toMatchObject([{ http: { max_content_length_in_bytes: 2 * 1024 * 1024 } }]);
    expect([cluster_name, (Object.values(nodes) as { name: string }[]).map(({ name }) => name)]).toEqual([
      'ours',
      ['first'],
    ]);
    expect(await get('/_cat/nodes?h=name')).toMatch(/^first *\n$/);
    expect(await get('/_cat/health?h=cluster')).toMatch(/^ours *\n$/);
    child.kill('SIGHUP');
    while (!log.includes('nothing is read again')) await once(child.stderr, 'data');
    expect(log).toContain("node.rack isn't understood: there is one node");
    expect(await get('/_cat/nodes?h=name')).toMatch(/^first/);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
});
