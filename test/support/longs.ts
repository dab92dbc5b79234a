import fc from 'fast-check';
import { createEngine, type Resilin } from '../../host/index.js';

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;
const EDGES = [0n, 2n ** 53n, -(2n ** 53n), LEAST, MOST, 412_345_678_901_234_561n, 2n ** 31n, 2n ** 62n];

/** Whole numbers of 64 bits, half of them beside a place where other representations end. */
export const anyLong: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt(LEAST, MOST),
  fc
    .tuple(fc.constantFrom(...EDGES), fc.bigInt(-3n, 3n))
    .map(([edge, off]) => edge + off)
    .filter((value) => value >= LEAST && value <= MOST),
  fc.bigInt(-20n, 20n),
);

/** An answer whose whole numbers of sixteen digits and more are texts. */
// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
export type Answer = any;

/** Requests whose bodies are texts, and answers in which no digit is lost. */
export interface Exact {
  readonly resilin: Resilin;
  call(this: void, method: string, uri: string, body?: string): Promise<{ status: number; body: Answer }>;
  close(this: void): Promise<void>;
}

/** An engine in memory, or as the options say. */
export async function openExact(options?: Parameters<typeof createEngine>[0]): Promise<Exact> {
  const resilin = await createEngine(options);
  return {
    resilin,
    async call(method, uri, body = '') {
      const answer = await resilin.handle(method, uri, new TextEncoder().encode(body));
      const text = new TextDecoder().decode(answer.body);
      return { status: answer.status, body: text === '' ? undefined : parseDigits(text) };
    },
    close: () => resilin.close(),
  };
}

/** The value of a JSON text, where such numbers are texts of their digits. */
export function parseDigits(text: string): Answer {
  const kept = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? `"${token}"` : token,
  );
  return JSON.parse(kept);
}
