/** The worker that holds the engine of {@link createWorkerEngine}. */
import type { EngineResponse, WorkerEngine } from '../library/options.js';
import { answerTo } from './answering.js';
import { compileCore } from './core.js';
import type { Opening, Question, Reply } from './protocol.js';
import { openShared } from './sharedEngine.js';

/** The global of a dedicated worker, which the types of pages don't have. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Opening | Question>) => void) | null;
  postMessage(message: Reply, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;
let opened: Promise<WorkerEngine> | undefined;

scope.onmessage = ({ data }) => {
  if ('options' in data) {
    const warn = (warning: string) => scope.postMessage({ warning });
    opened = openShared({ ...data.options, warn }, compileCore);
    void reply(0, async () => {
      await opened;
      return undefined;
    });
  } else {
    void reply(data.id, async () => answer((await opened)!, data));
  }
};

async function answer(engine: WorkerEngine, { asked }: Question): Promise<EngineResponse | undefined> {
  if (asked !== undefined) return answerTo(engine, asked);
  await engine.close();
  return undefined;
}

async function reply(id: number, work: () => Promise<EngineResponse | undefined>): Promise<void> {
  try {
    const found = await work();
    scope.postMessage({ id, answer: found }, found === undefined ? [] : [found.body.buffer as ArrayBuffer]);
  } catch (e) {
    scope.postMessage({ id, error: e instanceof Error ? e.message : String(e) });
  }
}
