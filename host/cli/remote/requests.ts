/** Requests to whoever speaks the interface: a server elsewhere, or an engine in this process. */

/** An answer, read to its end. */
export interface Answer {
  status: number;
  body: Buffer;
}

/** Takes requests. */
export interface Requests {
  /** What it is called in messages. */
  readonly name: string;
  /** @param path with the first slash, encoded; throws {@link NoAnswer} where none came, whatever became of the request */
  send(method: string, path: string, body?: Uint8Array | string): Promise<Answer>;
  close(): Promise<void>;
}

/** No answer came: there is no connection, or it broke. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** An answer that ends what was wanted. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** A part of a path. */
export const encoded = (name: string): string => encodeURIComponent(name).replaceAll('%2C', ',');

const UNAUTHORIZED = 401;
const WHO =
  'a user stands in the address, https://ann:secret@host; for other credentials there is RESILIN_AUTHORIZATION';

/** The error that an answer tells, or how it begins; and what to do about it where that isn't in it. */
export function errorOf(answer: Answer): string {
  const told = toldBy(answer);
  return answer.status === UNAUTHORIZED ? `${told}; ${WHO}` : told;
}

function toldBy({ body }: Answer): string {
  const text = body.toString('utf8', 0, 64 * 1024);
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string') return error;
    if (error !== undefined) return JSON.stringify(error);
  } catch {
    // No answer of such a server.
  }
  return text.slice(0, 200);
}

/** Asks, and reads the answer's JSON; throws {@link Refused} unless the status is below 300. */
export async function askJson(
  requests: Requests,
  method: string,
  path: string,
  body?: Uint8Array | string,
): Promise<unknown> {
  const answer = await requests.send(method, path, body);
  if (answer.status >= 300)
    throw new Refused(
      `${requests.name}${path} answers with ${answer.status}: ${errorOf(answer)}`,
      answer.status,
    );
  try {
    return JSON.parse(answer.body.toString());
  } catch {
    throw new Refused(`${requests.name}${path} answers with no JSON: ${errorOf(answer)}`, answer.status);
  }
}
