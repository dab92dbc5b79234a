/** What docs/running.md hands out: the image, the services, and the command that asks whether a server answers. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseServe } from '../../host/cli/options.js';
import { FLAGS, serverSettings } from '../../host/cli/serverSettings.js';
import { readSettingsFile } from '../../host/cli/settingsFile.js';
import { built } from '../support/server.js';

const root = resolve(import.meta.dirname, '../..');
const cli = join(await built(), 'js/host/cli');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const VARIABLES = [...FLAGS, 'config'].map((flag) => `RESILIN_${flag.toUpperCase().replaceAll('-', '_')}`);

describe('the image', () => {
  const dockerfile = read('Dockerfile').replace(/\\\n\s*/g, '');
  const lines = dockerfile.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const of = (instruction: string) =>
    lines
      .filter((line) => line.startsWith(`${instruction} `))
      .map((line) => line.slice(instruction.length + 1));

  it('is built by scripts and from folders that there are', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const runs = of('RUN').join(' && ');
    const named = [...runs.matchAll(/npm run (\S+)/g)].map(([, script]) => script!);
    expect(named).toEqual(['build:package']);
    for (const script of named) expect(scripts).toHaveProperty([script]);
    for (const [, folder] of runs.matchAll(/ (\.\/\S+)/g))
      expect(existsSync(join(root, folder!, 'package.json'))).toBe(true);
    const { bin, files } = JSON.parse(read('packages/server/package.json'));
    expect(bin).toHaveProperty('resilin');
    for (const file of files) expect(existsSync(join(root, 'packages/server', file))).toBe(true);
    // What the build needs is not left out.
    const left = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    for (const needed of [
      'assembly',
      'host',
      'scripts',
      'packages',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
    ])
      expect(left).not.toContain(needed);
    expect(left).toEqual(expect.arrayContaining(['.git', 'node_modules', 'data']));
  });

  it('runs as nobody in particular, with settings that there are, and is asked how it is', () => {
    expect(of('USER')).toEqual(['node']);
    expect(of('ENTRYPOINT')).toEqual(['["resilin"]']);
    expect(of('HEALTHCHECK').join()).toMatch(/CMD \["resilin", "health"\]$/);
    const env = Object.fromEntries(
      of('ENV').flatMap((line) => line.split(/\s+/).map((pair) => pair.split('='))),
    );
    for (const name of Object.keys(env).filter((each) => each.startsWith('RESILIN_')))
      expect(VARIABLES).toContain(name);
    const { options, problems } = serverSettings({}, env, undefined);
    expect(problems).toEqual([]);
    expect(of('VOLUME')).toEqual([options.data]);
    expect(of('EXPOSE')).toEqual([String(options.port)]);
    expect(Number(/^\d+/.exec(of('FROM')[1]!.replace('node:', ''))![0])).toBeGreaterThanOrEqual(20);
  });

  it('is composed with settings that there are', () => {
    const { services, volumes } = parse(read('packages/docker/compose.yml'));
    const { resilin } = services;
    expect(existsSync(join(root, 'packages/docker', resilin.build, 'Dockerfile'))).toBe(true);
    for (const name of Object.keys(resilin.environment)) expect(VARIABLES).toContain(name);
    expect(serverSettings({}, resilin.environment, undefined).problems).toEqual([]);
    for (const mount of resilin.volumes) expect(volumes).toHaveProperty(mount.split(':')[0]);
    expect(resilin.environment.RESILIN_ALLOW_HOST).toBe('resilin');
  });
});

describe('the unit of systemd', () => {
  const unit = read('packages/systemd/resilin.service');
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

  it('starts the server with flags that there are', () => {
    const [, env, command, ...args] = /^(\S+) (\S+) (.*)$/.exec(value('ExecStart')!)!;
    expect([env, command]).toEqual(['/usr/bin/env', 'resilin']);
    const parsed = parseServe('serve', args[0]!.split(' '), {});
    expect(parsed).toMatchObject({ kind: 'serve', mistakes: [], file: '/etc/resilin/resilin.yml' });
    if (parsed.kind === 'serve') expect(serverSettings(parsed.flags, {}, undefined).problems).toEqual([]);
    expect(value('ExecReload')).toContain('kill -HUP');
    // The server gives itself 60 s.
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThan(60);
    // V8 writes machine code.
    expect(value('MemoryDenyWriteExecute')).toBeUndefined();
  });

  it('has settings without a fault, which name the folder that it may write to', async () => {
    const path = join(root, 'packages/systemd/resilin.yml');
    const all = mkdtempSync(join(tmpdir(), 'resilin-unit-'));
    const uncommented = join(all, 'resilin.yml');
    writeFileSync(uncommented, readFileSync(path, 'utf8').replace(/^# (?=[a-z-]+: )/gm, ''));
    for (const file of [path, uncommented]) {
      const { options, problems, warnings } = serverSettings({}, {}, await readSettingsFile(file, {}));
      expect([problems, warnings]).toEqual([[], []]);
      expect(options.data.startsWith(`/var/lib/${value('StateDirectory')}/`)).toBe(true);
    }
    rmSync(all, { recursive: true });
  });
});

describe('resilin health', () => {
  let answer: { status: number; body: string };
  let server: Server;
  beforeAll(async () => {
    server = createServer((_, response) => response.writeHead(answer.status).end(answer.body));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  const ask = async (...args: string[]) => {
    const child = spawn(process.execPath, [join(cli, 'resilin.js'), 'health', ...args], {
      cwd: tmpdir(),
      env: { RESILIN_HOST: '0.0.0.0' },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        text += chunk;
      });
    const [status] = await once(child, 'close');
    return [status, text];
  };

  it('tells whether a server answers, whatever its indices are', async () => {
    const { port } = server.address() as AddressInfo;
    const given = `--port=${port}`;
    answer = { status: 200, body: '{"cluster_name":"a","status":"red"}' };
    expect(await ask(given)).toEqual([0, `127.0.0.1:${port} answers, its indices are red\n`]);
    answer = { status: 401, body: '' };
    expect(await ask(given)).toEqual([0, `127.0.0.1:${port} answers\n`]);
    answer = { status: 503, body: '' };
    expect(await ask(given)).toEqual([1, `resilin: 127.0.0.1:${port} answers with 503\n`]);
    expect(await ask('--port=x')).toEqual([
      2,
      'resilin: --port must be a number from 0 to 65535, not x; see resilin health --help\n',
    ]);
    expect((await ask('--help'))[1]).toMatch(/^resilin health - /);
  });

  it('asks by TLS where the server speaks it', async () => {
    const fixture = (name: string) => join(root, 'test/access/fixtures', name);
    const files = { cert: readFileSync(fixture('a.crt')), key: readFileSync(fixture('a.key')) };
    const secure = createTlsServer(files, (_, response) => response.end('{"status":"green"}'));
    secure.listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const { port } = secure.address() as AddressInfo;
    const given = [`--port=${port}`, `--tls-cert=${fixture('a.crt')}`, `--tls-key=${fixture('a.key')}`];
    expect(await ask(...given)).toEqual([0, `127.0.0.1:${port} answers, its indices are green\n`]);
    expect((await ask(`--port=${port}`))[0]).toBe(1);
    secure.close();
  });

  it('fails where nobody listens', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    other.close();
    await once(other, 'close');
    expect(await ask(`--port=${port}`)).toEqual([
      1,
      `resilin: 127.0.0.1:${port} doesn't answer: connect ECONNREFUSED 127.0.0.1:${port}\n`,
    ]);
  });
});

it('names only files and commands that there are', () => {
  const page = read('docs/running.md');
  for (const [, file] of page.matchAll(/(packages\/[\w./-]*\w)/g))
    expect(existsSync(join(root, file!)), file).toBe(true);
  const help = spawnSync(process.execPath, [join(cli, 'main.js'), '--help'], { encoding: 'utf8' }).stdout;
  for (const [, command] of page.matchAll(/^resilin ([a-z]+)/gm))
    expect(help).toContain(`resilin ${command}`);
});
