/** The worker that holds the engine of {@link createWorkerEngine}. */
import { openEngine } from '../library/engine.js';
import type { EngineResponse, Resilin } from '../library/options.js';
import { encodeJson } from '../storage/records.js';
import { Principal } from '../security/principal.js';
import { browserPlatform } from './platform.js';
import type { Opening, Question, Reply } from './protocol.js';

/** The global of a dedicated worker, which the types of pages don't have. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Opening | Question>) => void) | null;
  postMessage(message: Reply, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;
let opened: Promise<Resilin> | undefined;

scope.onmessage = ({ data }) => {
  if ('options' in data) {
    const warn = (warning: string) => scope.postMessage({ warning });
    opened = openEngine({ ...data.options, warn }, browserPlatform);
    void reply(0, async () => {
      await opened;
      return undefined;
    });
  } else {
    void reply(data.id, async () => answer((await opened)!, data));
  }
};

async function answer(
  engine: Resilin,
  { principal, request, file }: Question,
): Promise<EngineResponse | undefined> {
  if (file !== undefined) return fileAnswer(engine, file);
  if (request === undefined) {
    await engine.close();
    return undefined;
  }
  const caller = principal === undefined ? engine : engine.as(Principal.of(principal));
  const { method, uri, body, fetched } = request;
  if (fetched === undefined) return caller.handle(method, uri, body);
  const response = await caller.fetch(
    new Request(uri, {
      method,
      ...(fetched.contentType === null ? {} : { headers: { 'content-type': fetched.contentType } }),
      ...(body.length === 0 ? {} : { body: body as Uint8Array<ArrayBuffer> }),
    }),
  );
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    body: new Uint8Array(await response.arrayBuffer()),
  };
}

/** A file, or what was made of one as JSON. */
async function fileAnswer(engine: Resilin, file: NonNullable<Question['file']>): Promise<EngineResponse> {
  const body =
    'from' in file
      ? await engine.exportIndex(file.from)
      : encodeJson(await engine.importIndex(file.of, file.name === undefined ? {} : { name: file.name }));
  return { status: 200, contentType: '', body };
}

async function reply(id: number, work: () => Promise<EngineResponse | undefined>): Promise<void> {
  try {
    const found = await work();
    scope.postMessage({ id, answer: found }, found === undefined ? [] : [found.body.buffer as ArrayBuffer]);
  } catch (e) {
    scope.postMessage({ id, error: e instanceof Error ? e.message : String(e) });
  }
}
