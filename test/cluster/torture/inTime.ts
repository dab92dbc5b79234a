import { type Answer, Unanswered } from '../../torture/peer.js';

/** Milliseconds until a client gives a request up. */
const PATIENCE_MS = 20_000;

/** Gives up after some time. */
export async function inTime(answer: Promise<Answer>, ms = PATIENCE_MS): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unanswered(`no answer in ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => {});
  }
}
