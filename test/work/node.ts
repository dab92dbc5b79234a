/** A node in memory whose requests get limits that count their turns. */
import { ElasticsearchError } from '../../host/errors.js';
import { Principal } from '../../host/security/principal.js';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { compileCore } from '../../host/server/wasm.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import type { Storage } from '../../host/storage/storage.js';
import { WorkLimit } from '../../host/workLimit.js';

export interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into
  body: any;
  /** The body as it came. */
  text: string;
  /** How often the work stopped for others. */
  turns: number;
  /** Bytes of memory that were counted at most, and in the end. */
  memory: { most: number; left: number };
}

export interface Options {
  /** After so many turns the client is gone. */
  goneAfter?: number;
  /** After so many turns the time of the search is over. */
  lateAfter?: number;
  /** Bytes of memory that may be counted. */
  memory?: number;
  /** Slices last as long as ever. */
  patient?: boolean;
}

export interface TestNode {
  engine: Engine;
  call(method: string, uri: string, body?: unknown, options?: Options): Promise<Answered>;
}

/** Work of this node stops wherever it may: its clock says that every slice is over. */
export async function startNode(storage: Storage = new MemoryStorage()): Promise<TestNode> {
  const module = await compileCore();
  const parts = { storage, blobs: new MemoryBlobs(), clock: wallClock };
  const engine = await Engine.open({ ...parts, transport: new LocalTransport(module), module });
  const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
  const call: TestNode['call'] = async (method, uri, body, options = {}) => {
    const {
      goneAfter = Number.POSITIVE_INFINITY,
      lateAfter = Number.POSITIVE_INFINITY,
      patient = false,
      memory: mostBytes = Number.POSITIVE_INFINITY,
    } = options;
    const counted = { turns: 0 };
    const whole = WorkLimit.of(Number.POSITIVE_INFINITY, {
      isHurried: false,
      get isGone() {
        return counted.turns >= goneAfter;
      },
    });
    const limit = patient ? whole : impatient(whole, counted, lateAfter);
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    const bytes = new TextEncoder().encode(text);
    const memory = { most: 0, left: 0 };
    const weigh = (more: number) => {
      if (more > 0 && memory.left + more > mostBytes)
        throw new ElasticsearchError('CircuitBreakingException', 'too much');
      memory.left += more;
      memory.most = Math.max(memory.most, memory.left);
    };
    const { unrestricted } = Principal;
    const answer = await router.handle(method, uri, bytes, unrestricted, limit, undefined, weigh);
    const told = new TextDecoder().decode(answer.body);
    return {
      status: answer.status,
      body: JSON.parse(told),
      text: told,
      turns: counted.turns,
      memory,
    };
  };
  return { engine, call };
}

/** A limit whose slices are over at once, as are those of all limits made from it; `since`: turns before its time began. */
function impatient(limit: WorkLimit, counted: { turns: number }, lateAfter: number, since = 0): WorkLimit {
  const [yields, within] = [limit.yield.bind(limit), limit.within.bind(limit)];
  const [lasting, fresh] = [limit.lasting.bind(limit), limit.fresh.bind(limit)];
  const [untimed, atLeast] = [limit.untimed.bind(limit), limit.atLeast.bind(limit)];
  const isLate = () => limit.deadline !== Number.POSITIVE_INFINITY && counted.turns >= since + lateAfter;
  Object.defineProperties(limit, {
    due: { get: () => true },
    elapsed: { get: () => Number.POSITIVE_INFINITY },
    late: { get: isLate },
  });
  return Object.assign(limit, {
    yield: () => {
      counted.turns++;
      return yields();
    },
    within: (ms: number) => impatient(within(ms), counted, lateAfter),
    lasting: (ms: number) => impatient(lasting(ms), counted, lateAfter),
    fresh: () => impatient(fresh(), counted, lateAfter),
    untimed: () => impatient(untimed(), counted, lateAfter),
    atLeast: (ms: number) => impatient(atLeast(ms), counted, lateAfter, isLate() ? counted.turns : since),
  });
}
