/** What a worker with an engine hears and says. */
import type { EngineOptions, EngineResponse, WorkerEngine } from '../library/options.js';
import { answerTo } from './answering.js';
import type { Opening, Question, Reply } from './protocol.js';

/** The global of a dedicated worker, which the types of pages don't have. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Opening | Question>) => void) | null;
  postMessage(message: Reply, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;

/** Makes the engine with the first message by `open`, and answers those that follow. */
export function answerMessages(open: (options: EngineOptions) => Promise<WorkerEngine>): void {
  let opened: Promise<WorkerEngine> | undefined;
  scope.onmessage = ({ data }) => {
    if ('options' in data) {
      const warn = (warning: string) => scope.postMessage({ warning });
      opened = open({ ...data.options, warn });
      void reply(0, async () => {
        await opened;
        return undefined;
      });
    } else {
      void reply(data.id, async () => answer((await opened)!, data));
    }
  };
}

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
