import { type AddressInfo, connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { createHttp, everybody } from '../../host/server/http.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';

const MEMORY = 1_000_000;
/** 40 % of the memory. */
const REQUESTS = 400_000;
const IDLE_MS = 1500;
const LARGE = 16_000_000;

let engine: Engine;
let app: ReturnType<typeof createHttp>;
let port: number;
const sockets: Socket[] = [];

beforeEach(async () => {
  const module = await WebAssembly.compile(coreBytes());
  const transport = new LocalTransport(module);
  const parts = { storage: new MemoryStorage(), blobs: new MemoryBlobs(), clock: wallClock };
  engine = await Engine.open({ ...parts, transport, module, memory: MEMORY });
  const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
  app = createHttp(router, everybody, { breakers: engine.breakers, idleMs: IDLE_MS, maxConnections: 8 });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
  await engine.close();
});

const used = () => engine.breakers.stats.request.used;

/** Sends the head of a request and part of its body, and collects what comes back. */
function half(announced: number, sent: number): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.write(`POST /_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${announced}\r\n\r\n`);
  socket.write(Buffer.alloc(sent, 32));
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  return { socket, answer: new Promise((done) => socket.on('close', () => done(text))) };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((done) => setTimeout(done, 2));
}

it('bodies that are on their way are bounded together', async () => {
  const first = half(400_000, 300_000);
  await until(() => used() >= 300_000);
  const second = half(400_000, 300_000);
  expect(await second.answer).toMatch(
    /^HTTP\/1.1 500 [\s\S]*CircuitBreakingException\[\[REQUEST\] Data too large, data for \[<http_request>\] would be larger than limit of \[400000\/390.6kb\]\]/,
  );
  expect(used()).toBeLessThanOrEqual(REQUESTS);
  first.socket.destroy();
  await until(() => used() === 0);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
});

it('what is announced and not sent takes nothing, and is not waited for', async () => {
  const { answer } = half(100_000_000, 10);
  await until(() => used() === 10);
  expect(await answer).toMatch(
    /^HTTP\/1.1 408 [\s\S]*connection: close[\s\S]*HttpException\[Request Timeout\]/,
  );
  expect(used()).toBe(0);
});

it('a body that trickles is let go when its time is over', async () => {
  const { socket, answer } = half(100_000_000, 1);
  const trickle = setInterval(() => socket.write(' '), IDLE_MS / 10);
  try {
    expect(await answer).toMatch(/^HTTP\/1.1 408 [\s\S]*HttpException\[Request Timeout\]/);
  } finally {
    clearInterval(trickle);
  }
  expect(used()).toBe(0);
});

it('packed bodies count as they are unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000, 32));
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/_bulk`, {
      method: 'POST',
      body: bomb,
      headers: { 'content-encoding': 'gzip' },
    });
  for (const answer of await Promise.all(Array.from({ length: 8 }, ask))) {
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('CircuitBreakingException[[REQUEST] Data too large');
  }
  expect(used()).toBe(0);
});

it('connections are bounded', async () => {
  const open = Array.from({ length: 8 }, () => half(10, 1));
  await until(() => used() === 8);
  expect(await half(10, 1).answer).toBe('');
  for (const { socket } of open) socket.destroy();
  await until(() => used() === 0);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
});

it('an answer that nobody takes is let go', async () => {
  engine.breakers.configure((name) => (name.endsWith('.limit') ? '100mb' : undefined));
  await fetch(`http://127.0.0.1:${port}/a`, {
    method: 'PUT',
    body: JSON.stringify({ mappings: { t: { properties: { s: { type: 'string', index: 'no' } } } } }),
  });
  // More than the sockets themselves take.
  const body = JSON.stringify({ s: 'x'.repeat(LARGE) });
  expect((await fetch(`http://127.0.0.1:${port}/a/t/1`, { method: 'PUT', body })).status).toBe(201);
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.pause();
  socket.write('GET /a/t/1 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until(() => used() > LARGE);
  await until(() => used() === 0);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
}, 20_000);

it('clients that take no answers do not keep the server from ending', async () => {
  engine.breakers.configure((name) => (name.endsWith('.limit') ? '100mb' : undefined));
  const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
  const ending = createHttp(router, everybody, { breakers: engine.breakers, answerMs: 20 });
  await ending.listen({ port: 0, host: '127.0.0.1' });
  const { port: own } = ending.server.address() as AddressInfo;
  // Each action's answer names its index and type again.
  const name = 'x'.repeat(250);
  const bulk = `{"index":{"_index":"${name}","_type":"t"}}\n{}\n`.repeat(25_000);
  const socket = connect(own, '127.0.0.1');
  sockets.push(socket);
  socket.pause();
  socket.on('error', () => {});
  const gone = new Promise((done) => socket.on('close', done));
  socket.write(`POST /_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bulk.length}\r\n\r\n${bulk}`);
  await until(() => used() > 5_000_000);
  await ending.close();
  socket.resume();
  await gone;
  await until(() => used() === 0);
}, 20_000);
