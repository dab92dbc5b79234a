import type { Network } from '../../../host/cluster/inProcess/network.js';
import type { Clock } from '../../../host/time/clock.js';
import type { Random } from '../../torture/random.js';

/** How bad a network is. Chances are those of one message. */
export interface Weather {
  /** Milliseconds that most messages take, at most. */
  usualMs: number;
  /** Chance of one that takes up to `lateMs`. */
  late: number;
  lateMs: number;
  lost: number;
  doubled: number;
}

export const FAIR: Weather = { usualMs: 3, late: 0.01, lateMs: 50, lost: 0, doubled: 0 };
export const FOUL: Weather = { usualMs: 20, late: 0.1, lateMs: 2000, lost: 0.05, doubled: 0.05 };

/**
 * A network that delays, reorders, doubles and loses messages, and whose links can be cut in one direction or in both: all of it decided
 * by a sequence of random numbers. An endpoint is a node's id, `log/NAME` or `members`.
 */
export class FaultyNetwork implements Network {
  readonly #random: Random;
  readonly #clock: Clock;
  readonly #cuts = new Map<string, number>();
  readonly #slow = new Map<string, { ms: number; until: number }>();
  weather: Weather;
  /** What became of messages. */
  readonly counts = { delivered: 0, doubled: 0, lost: 0 };

  constructor(random: Random, clock: Clock, weather: Weather = FAIR) {
    this.#random = random;
    this.#clock = clock;
    this.weather = weather;
  }

  /** Loses all messages from one endpoint to another for that long; `*` stands for every endpoint. */
  cut(from: string, to: string, ms: number): void {
    this.#cuts.set(link(from, to), this.#clock.now() + ms);
  }

  /** Cuts an endpoint off from all others for that long. */
  isolate(endpoint: string, ms: number): void {
    this.cut(endpoint, '*', ms);
    this.cut('*', endpoint, ms);
  }

  /** Adds up to that many milliseconds to each message of a link for a while: one log lags behind the others. */
  slow(from: string, to: string, ms: number, forMs: number): void {
    this.#slow.set(link(from, to), { ms, until: this.#clock.now() + forMs });
  }

  /** Ends all cuts and slowness. */
  heal(): void {
    this.#cuts.clear();
    this.#slow.clear();
  }

  deliveries(from: string, to: string): readonly number[] {
    const { lost, doubled } = this.weather;
    if (this.#isCut(from, to) || this.#random.chance(lost)) {
      this.counts.lost++;
      return [];
    }
    this.counts.delivered++;
    const first = this.#delay(from, to);
    if (!this.#random.chance(doubled)) return [first];
    this.counts.doubled++;
    return [first, this.#delay(from, to)];
  }

  #isCut(from: string, to: string): boolean {
    if (this.#cuts.size === 0) return false;
    const now = this.#clock.now();
    return [link(from, to), link(from, '*'), link('*', to)].some((name) => (this.#cuts.get(name) ?? 0) > now);
  }

  #delay(from: string, to: string): number {
    const { usualMs, late, lateMs } = this.weather;
    const slow = this.#slow.size === 0 ? undefined : this.#slow.get(link(from, to));
    const more = slow && slow.until > this.#clock.now() ? this.#random.below(slow.ms) : 0;
    return 1 + this.#random.below(this.#random.chance(late) ? lateMs : usualMs) + more;
  }
}

function link(from: string, to: string): string {
  return `${from} > ${to}`;
}
