/** What docs/cluster.md hands out to run a cluster with: the services of compose and Kubernetes, and the configuration of NATS, which is run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { FLAGS, serverSettings } from '../../host/cli/serverSettings.js';
import { NATS_PACKAGES, openClusterServices } from '../../host/server/cluster/clusterServices.js';
import { natsVersion } from './harness/natsServers.js';

const folder = resolve(import.meta.dirname, '../../packages/cluster');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const VARIABLES = FLAGS.map((flag) => `RESILIN_${flag.toUpperCase().replaceAll('-', '_')}`);
const SERVERS = ['nats-0.nats', 'nats-1.nats', 'nats-2.nats'];
const conf = read('nats.conf');

/** The settings of a node's environment; none of them is unknown or wrong. */
function settingsOf(env: Record<string, string>) {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('RESILIN_')));
  for (const name of Object.keys(own)) expect(VARIABLES).toContain(name);
  const filled = Object.entries(own).map(([name, value]) => [
    name,
    value.replace(/\$\{NATS_PASSWORD:\?\}|\$\(NATS_PASSWORD\)/g, 'secret'),
  ]);
  const { options, problems } = serverSettings(Object.fromEntries([]), Object.fromEntries(filled), undefined);
  expect(problems).toEqual([]);
  expect(options.join?.servers).toEqual(SERVERS.map((name) => `nats://resilin:secret@${name}:4222`));
  return options;
}

describe('the services of compose', () => {
  const { services, volumes, configs } = parse(read('compose.yml'), { merge: true });

  it('are three of each, with what they keep apart', () => {
    const nodes = [0, 1, 2].map((number) => services[`resilin-${number}`]);
    expect(nodes.map(({ environment }) => settingsOf(environment).node)).toEqual([
      'resilin-0',
      'resilin-1',
      'resilin-2',
    ]);
    const mounts = Object.values(services).flatMap((service) => (service as { volumes: string[] }).volumes);
    expect(mounts.map((mount) => mount.split(':')[0]).sort()).toEqual(Object.keys(volumes).sort());
    for (const [i, name] of SERVERS.entries()) {
      const { environment, networks } = services[`nats-${i}`];
      expect(environment.SERVER_NAME).toBe(`nats-${i}`);
      expect(environment[`ROUTE_${i}`]).toMatch(/^nats-route:\/\/route:.*:6222$/);
      for (const variable of conf.match(/\$[A-Z_0-9]+/g)!)
        expect(environment).toHaveProperty(variable.slice(1));
      expect(networks.default.aliases).toEqual([name]);
    }
    expect(configs.nats.file).toBe('./nats.conf');
    // The image has none of them by itself.
    for (const { build } of nodes) expect(build.args.PACKAGES.split(' ')).toEqual([...NATS_PACKAGES]);
    const running = readFileSync(resolve(folder, '../../docs/running.md'), 'utf8');
    expect(running).toContain(`PACKAGES='${NATS_PACKAGES.join(' ')}'`);
    for (const { ports } of nodes) expect(ports[0]).toMatch(/^127\.0\.0\.1:920\d:9200$/);
  });
});

describe('the resources of Kubernetes', () => {
  const all = ['nats.yaml', 'resilin.yaml'].flatMap((name) =>
    parseAllDocuments(read(name)).map((document) => document.toJS()),
  );
  const of = (kind: string, name: string) =>
    all.find((each) => each.kind === kind && each.metadata.name === name);

  it('have services, budgets and selectors that fit', () => {
    for (const name of ['nats', 'resilin']) {
      const { spec } = of('StatefulSet', name);
      expect(spec.serviceName).toBe(of('Service', name).metadata.name);
      const { labels } = spec.template.metadata;
      for (const selector of [
        spec.selector.matchLabels,
        of('Service', name).spec.selector,
        of('PodDisruptionBudget', name).spec.selector.matchLabels,
      ])
        expect(labels).toMatchObject(selector);
      expect(of('PodDisruptionBudget', name).spec.maxUnavailable).toBe(1);
      expect(spec.replicas).toBe(3);
      const [{ podAffinityTerm: _, ...rule }] =
        spec.template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
      expect(rule.labelSelector.matchLabels).toEqual({ app: name });
      const [container] = spec.template.spec.containers;
      const mounted = container.volumeMounts.map((mount: { name: string }) => mount.name);
      const kept = [
        ...(spec.template.spec.volumes ?? []),
        ...spec.volumeClaimTemplates.map((claim: { metadata: object }) => claim.metadata),
      ].map(({ name: volume }) => volume);
      expect(mounted.sort()).toEqual(kept.sort());
    }
    const { resources, configMapGenerator } = parse(read('kustomization.yaml'));
    for (const name of [...resources, ...configMapGenerator[0].files]) expect(read(name)).not.toBe('');
  });

  it('start nodes with settings that there are, and give them time to finish', () => {
    const { spec } = of('StatefulSet', 'resilin').spec.template;
    const [{ env, startupProbe, readinessProbe, lifecycle, ports }] = spec.containers;
    const plain = env.filter((each: { value?: string }) => each.value !== undefined);
    const { port, hosts } = {
      port: settingsOf(
        Object.fromEntries(plain.map((each: { name: string; value: string }) => [each.name, each.value])),
      ).port,
      hosts: plain.find((each: { name: string }) => each.name === 'RESILIN_ALLOW_HOST').value,
    };
    expect(ports[0].containerPort).toBe(port);
    expect(hosts).toBe('resilin,*.resilin');
    for (const probe of [startupProbe, readinessProbe])
      expect(probe.exec.command).toEqual(['resilin', 'health']);
    const [, seconds] = lifecycle.preStop.exec.command;
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(60 + Number(seconds));
  });
});

describe.skipIf(natsVersion() === undefined)('the configuration of NATS', () => {
  const data = mkdtempSync(join(tmpdir(), 'resilin-deployment-'));
  const running: ChildProcess[] = [];
  afterAll(async () => {
    for (const child of running) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(data, { recursive: true, force: true });
  });

  it('makes three servers a cluster that nodes with the password alone may use', async () => {
    const ports = await freePorts(9);
    const known =
      Number(/^2\.(\d+)/.exec(natsVersion()!)![1]) >= 10 ? conf : conf.replace(/^ *sync_interval.*$/m, '');
    for (const i of [0, 1, 2]) {
      const own = known
        .replace('0.0.0.0:4222', `127.0.0.1:${ports[i]}`)
        .replace('0.0.0.0:6222', `127.0.0.1:${ports[3 + i]}`)
        .replace('0.0.0.0:8222', `127.0.0.1:${ports[6 + i]}`)
        .replace('/data', join(data, String(i)));
      const file = join(data, `nats-${i}.conf`);
      writeFileSync(file, own);
      running.push(
        spawn('nats-server', ['-c', file], {
          stdio: 'ignore',
          env: {
            PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin`,
            SERVER_NAME: `nats-${i}`,
            NATS_PASSWORD: 'secret',
            ...Object.fromEntries(
              [0, 1, 2].map((n) => [`ROUTE_${n}`, `nats-route://route:secret@127.0.0.1:${ports[3 + n]}`]),
            ),
          },
        }),
      );
    }
    const open = (password: string) =>
      openClusterServices({
        servers: [0, 1, 2].map((i) => `nats://resilin:${password}@127.0.0.1:${ports[i]}`),
        cluster: 'books',
        node: 'n1',
      });
    const services = await untilItOpens(() => open('secret'));
    try {
      const log = await services.logs.open('books', { create: true });
      expect(await log.append('meta', new Uint8Array(3))).toBe(1);
      await expect(open('wrong')).rejects.toThrow(/[Aa]uthori[sz]ation|password|refuses/);
    } finally {
      await services.close();
    }
  });
});

/** Servers that find each other are asked until they have. */
async function untilItOpens<T>(open: () => Promise<T>): Promise<T> {
  for (let left = 20; ; left--)
    try {
      return await open();
    } catch (e) {
      if (left === 0) throw e;
    }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}
