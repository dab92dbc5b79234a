/** Passwords: hashed by scrypt, checked a few at a time. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { rejected } from '../../errors.js';

/** A hash and what it was made with. Bytes are in Base64. */
export interface PasswordHash {
  /** A power of two; a check takes 128·N·r bytes. */
  N: number;
  r: number;
  p: number;
  salt: string;
  hash: string;
}

type Cost = Pick<PasswordHash, 'N' | 'r' | 'p'>;

/** Of new hashes: 16 MB, and a good tenth of a second. */
export const COST: Cost = { N: 16_384, r: 8, p: 5 };
/** Hashes from files may take no more than this many bytes, and this many rounds. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_ROUNDS = 16;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** Whether hashes may be made so: neither too weak nor too expensive. */
export function isCost({ N, r, p }: Cost): boolean {
  const whole = [N, r, p].every((each) => Number.isInteger(each) && each > 0);
  return whole && N >= 1024 && (N & (N - 1)) === 0 && 128 * N * r <= MAX_BYTES && p <= MAX_ROUNDS;
}

const MIN_CHARACTERS = 8;
const MAX_CHARACTERS = 1024;

/** Why a password may not be one; undefined where nothing is against it. */
export function checkPassword(password: string): string | undefined {
  const { length } = [...password];
  if (length < MIN_CHARACTERS) return `a password must have at least ${MIN_CHARACTERS} characters`;
  return length > MAX_CHARACTERS ? `a password has ${MAX_CHARACTERS} characters at most` : undefined;
}

/** The hash of a password, with a salt of its own. */
export async function hashPassword(password: string, cost: Cost = COST): Promise<PasswordHash> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, cost, HASH_BYTES);
  const { N, r, p } = cost;
  return { N, r, p, salt: salt.toString('base64'), hash: hash.toString('base64') };
}

/** A hash that no password has. */
export function noPassword({ N, r, p }: Cost): PasswordHash {
  const [salt, hash] = [randomBytes(SALT_BYTES), randomBytes(HASH_BYTES)];
  return { N, r, p, salt: salt.toString('base64'), hash: hash.toString('base64') };
}

async function matches(password: string, { salt, hash, ...cost }: PasswordHash): Promise<boolean> {
  const expected = Buffer.from(hash, 'base64');
  const found = await derive(password, Buffer.from(salt, 'base64'), cost, expected.length);
  return timingSafeEqual(found, expected);
}

/** In a thread of Node's pool. */
function derive(password: string, salt: Buffer, { N, r, p }: Cost, length: number): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 128 * N * r + 128 * r * p + 1024 * 1024 };
  return new Promise((done, failed) => {
    scrypt(password.normalize('NFC'), salt, length, options, (e, key) =>
      e === null ? done(key) : failed(e),
    );
  });
}

/** How many passwords may wait for their check. */
export interface CheckLimits {
  waiting: number;
  /** Of one address. */
  perSource: number;
}

const LIMITS: CheckLimits = { waiting: 64, perSource: 16 };

/** Waits; the clock in tests. */
export type Pause = (ms: number) => Promise<void>;
const wait: Pause = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms).unref();
  });

/**
 * Checks passwords one after the other, so that a flood of them takes one thread. After a wrong one the next waits as long again:
 * guessing takes half of that thread at most.
 */
export class PasswordChecks {
  readonly #limits: CheckLimits;
  readonly #pause: Pause;
  readonly #bySource = new Map<string, number>();
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(limits: CheckLimits = LIMITS, pause: Pause = wait) {
    this.#limits = limits;
    this.#pause = pause;
  }

  /** Whether the password is the one of the hash; 429 where too many wait, or too many of the same source. */
  async check(password: string, hash: PasswordHash, source: string): Promise<boolean> {
    const own = this.#bySource.get(source) ?? 0;
    if (this.#waiting >= this.#limits.waiting || own >= this.#limits.perSource)
      throw rejected('too many passwords are waiting to be checked');
    this.#waiting++;
    this.#bySource.set(source, own + 1);
    const before = this.#last;
    let next = () => {};
    this.#last = new Promise<void>((done) => {
      next = done;
    });
    await before;
    const started = performance.now();
    try {
      const good = await matches(password, hash);
      if (good) next();
      else void this.#pause(performance.now() - started).then(next);
      return good;
    } catch (e) {
      next();
      throw e;
    } finally {
      this.#waiting--;
      const left = this.#bySource.get(source)! - 1;
      if (left > 0) this.#bySource.set(source, left);
      else this.#bySource.delete(source);
    }
  }
}
