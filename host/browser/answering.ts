/** Answers what was sent from elsewhere: from the page of a worker, from another tab. */
import type { EngineResponse, WorkerEngine } from '../library/options.js';
import { Principal } from '../security/principal.js';
import { encodeJson } from '../storage/records.js';
import type { Asked } from './protocol.js';

/** Asks an engine. */
export async function answerTo(engine: WorkerEngine, asked: Asked): Promise<EngineResponse> {
  if ('file' in asked) return fileAnswer(engine, asked.file);
  const { principal, request } = asked;
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
async function fileAnswer(engine: WorkerEngine, file: FileAsked['file']): Promise<EngineResponse> {
  const body =
    'from' in file
      ? await engine.exportIndex(file.from)
      : encodeJson(await engine.importIndex(file.of, file.name === undefined ? {} : { name: file.name }));
  return { status: 200, contentType: '', body };
}

type FileAsked = Extract<Asked, { file: unknown }>;
