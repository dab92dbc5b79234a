/** Requests that another node answers, since it alone knows what is asked for. */
import { MAX_MESSAGE_BYTES, PeerRejected } from '../cluster/errors.js';
import { rejected } from '../errors.js';
import { decodeText, encodeText } from '../storage/records.js';
import { type WorkLimit, WorkOver } from '../workLimit.js';
import { LONG_QUESTION_BYTES, type QuestionHandler, questionOf, type RegisterQuestion } from './message.js';
import type { NodeQuestions } from './nodeQuestions.js';
import { withSignals } from './withSignals.js';

export interface ForwardedRequest {
  method: string;
  /** Path and query. */
  uri: string;
  /** Text in UTF-8. */
  body: Uint8Array;
  /** The identity of the principal that asks, where that may not do everything. */
  principal?: string;
}

export interface ForwardedAnswer {
  status: number;
  contentType: string;
  body: Uint8Array;
}

/** Answers a request as this node answers its own clients; the signal aborts when nobody waits any more. */
export type AnswerRequest = (request: ForwardedRequest, signal: AbortSignal) => Promise<ForwardedAnswer>;

const GET = 'get';
const REQUEST = 'request';
const NOTHING = new Uint8Array(0);

/** Requests that go to other nodes, and those that come from them. */
export class Forwarding {
  readonly #questions: NodeQuestions;
  /** How this node answers. */
  answer: AnswerRequest = () => Promise.reject(new Error('it answers no requests'));

  constructor(questions: NodeQuestions) {
    this.#questions = questions;
  }

  serve(register: RegisterQuestion): void {
    register(GET, async (bytes, signal) => {
      const { uri } = questionOf(bytes);
      return (await this.answer({ method: 'GET', uri: String(uri), body: NOTHING }, signal)).body;
    });
    const passed: QuestionHandler = async (bytes, signal) => {
      const { method, uri, body, principal } = questionOf(bytes);
      const asking = principal === undefined ? {} : { principal: String(principal) };
      const request = { method: String(method), uri: String(uri), body: encodeText(String(body)), ...asking };
      return encodeAnswer(await this.answer(request, signal));
    };
    register(REQUEST, passed, LONG_QUESTION_BYTES);
  }

  /**
   * What another node answers to a request; throws `PeerUnreachable` or `PeerFailed` where it doesn't, 429 where it has too much to do, and
   * where nobody waits any more.
   */
  async forward(
    node: string,
    { body, ...request }: ForwardedRequest,
    limit: WorkLimit,
  ): Promise<ForwardedAnswer> {
    const question = { ...request, body: decodeText(body) };
    const gone = new AbortController();
    const listener = { cancelled: () => gone.abort(new WorkOver()) };
    limit.onCancel(listener);
    try {
      const answer = await this.#questions.within((signal) =>
        withSignals([signal, gone.signal], (either) => this.#questions.ask(node, REQUEST, question, either)),
      );
      limit.weigh(answer.length);
      return decodeAnswer(answer);
    } catch (e) {
      throw e instanceof PeerRejected ? rejected(e.reason) : e;
    } finally {
      limit.removeListener(listener);
    }
  }

  /** The bodies that all other nodes answer to a GET; those that don't answer in some seconds are left out. */
  async elsewhere(uri: string): Promise<Uint8Array[]> {
    return [...(await this.#questions.askOthers(GET, { uri })).values()];
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Bytes of an answer's body: messages have some more. */
const MOST_BODY = MAX_MESSAGE_BYTES - 4096;

/** What is answered in place of a body that nodes can't send each other. */
function tooLong(bytes: number): ForwardedAnswer {
  const detail = `an answer of ${bytes} bytes is longer than the ${MOST_BODY} that nodes send each other: ask for less at a time, or ask the node that has it`;
  const status = 500;
  const error = `ElasticsearchIllegalStateException[${detail}]`;
  const contentType = 'application/json; charset=UTF-8';
  return { status, contentType, body: encoder.encode(JSON.stringify({ error, status })) };
}

/** u16 status, u8 length of the type, the type, the body. */
export function encodeAnswer(answer: ForwardedAnswer): Uint8Array {
  const { status, contentType, body } = answer.body.length > MOST_BODY ? tooLong(answer.body.length) : answer;
  const type = encoder.encode(contentType);
  const bytes = new Uint8Array(3 + type.length + body.length);
  new DataView(bytes.buffer).setUint16(0, status);
  bytes[2] = type.length;
  bytes.set(type, 3);
  bytes.set(body, 3 + type.length);
  return bytes;
}

/** Throws a `RangeError` for what is too short. */
export function decodeAnswer(bytes: Uint8Array): ForwardedAnswer {
  const status = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint16(0);
  const end = 3 + (bytes[2] ?? 0);
  return { status, contentType: decoder.decode(bytes.subarray(3, end)), body: bytes.subarray(end) };
}
