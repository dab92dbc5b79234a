/** What nodes and servers of NATS say of themselves when something is wrong, for whoever looks into it. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { INDICES } from '../../torture/load.js';
import type { TestCluster, TestNode } from '../harness/testCluster.js';
import { inTime } from './inTime.js';

const PATIENCE_MS = 5000;

/** Lines about all nodes, and about the streams as each server of NATS has them. */
export async function diagnose({ nodes, nats }: TestCluster): Promise<string[]> {
  const lines: string[] = [];
  for (const node of nodes) {
    const asked: readonly [string, string][] = [
      ['GET', '/_cluster/health?level=shards'],
      ['GET', '/_cat/shards?v'],
      ['GET', '/_cat/recovery?v'],
      ...INDICES.map((index): [string, string] => ['POST', `/${index}/_refresh`]),
    ];
    for (const [method, path] of asked) lines.push(await said(node, method, path));
    const metrics = await said(node, 'GET', '/metrics');
    lines.push(
      ...metrics.split('\n').filter((line) => /^resilin_(log|cluster|copies|shards|fetch)/.test(line)),
    );
  }
  for (const [number, { port, running }] of nats.servers.entries())
    lines.push(...(running ? await streams(number, port) : [`NATS server ${number} doesn't run`]));
  return lines;
}

async function said(node: TestNode, method: string, path: string): Promise<string> {
  try {
    const { status, body } = await inTime(node.send(method, path), PATIENCE_MS);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return `node ${node.number} ${method} ${path}: ${status} ${text}`;
  } catch (error) {
    return `node ${node.number} ${method} ${path}: ${error}`;
  }
}

async function streams(number: number, port: number): Promise<string[]> {
  const name = `NATS server ${number}`;
  try {
    const connection = await connect({
      servers: `127.0.0.1:${port}`,
      reconnect: false,
      timeout: PATIENCE_MS,
    });
    try {
      const lines: string[] = [];
      const manager = await jetstreamManager(connection, { timeout: PATIENCE_MS });
      for await (const { config, state, cluster } of manager.streams.list()) {
        lines.push(`${name} ${config.name}: ${JSON.stringify(state)} ${JSON.stringify(cluster)}`);
        for await (const { delivered, num_pending, num_waiting, cluster: of } of manager.consumers.list(
          config.name,
        ))
          lines.push(
            `  reader: ${JSON.stringify({ delivered, num_pending, num_waiting, leader: of?.leader })}`,
          );
      }
      return lines;
    } finally {
      await connection.close();
    }
  } catch (error) {
    return [`${name}: ${error}`];
  }
}
