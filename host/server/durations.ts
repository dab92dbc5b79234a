/**
 * How long requests took, in the buckets of a Prometheus histogram. Each is a comparison or two and an addition: the library's own
 * histogram checks and hashes its labels with every request.
 */
import type { Metric, Registry } from 'prom-client';

/** Bounds of the buckets, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Labels = Readonly<Record<string, string>>;

/** Times with the same labels. */
export class Durations {
  readonly labels: Labels;
  /** By bucket; those beyond all bounds are the last. */
  readonly counts = new Float64Array(BOUNDS.length + 1);
  sum = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  observe(seconds: number): void {
    let i = 0;
    while (i < BOUNDS.length && seconds > BOUNDS[i]!) i++;
    this.counts[i]!++;
    this.sum += seconds;
  }
}

/** A histogram in a registry: what was observed, by labels. */
export class DurationHistogram {
  readonly #name: string;
  readonly #each = new Map<string, Durations>();

  constructor(registry: Registry, name: string, help: string) {
    this.#name = name;
    const metric = { name, help, type: 'histogram', aggregator: 'sum', get: async () => this.#shown(help) };
    // The library's type says that all metrics are its own; it asks them for no more than this.
    registry.registerMetric(metric as unknown as Metric);
  }

  /** Where times with these labels are observed. */
  with(labels: Labels): Durations {
    const key = JSON.stringify(labels);
    let found = this.#each.get(key);
    if (found === undefined) {
      found = new Durations(labels);
      this.#each.set(key, found);
    }
    return found;
  }

  #shown(help: string) {
    return { name: this.#name, help, type: 'histogram', aggregator: 'sum', values: [...this.#values()] };
  }

  *#values() {
    for (const { labels, counts, sum } of this.#each.values()) {
      let count = 0;
      const buckets = counts.map((own) => {
        count += own;
        return count;
      });
      // As long as nothing has come, there is nothing to show.
      if (count === 0) continue;
      for (const [i, value] of buckets.entries())
        yield { metricName: `${this.#name}_bucket`, labels: { le: BOUNDS[i] ?? '+Inf', ...labels }, value };
      yield { metricName: `${this.#name}_sum`, labels, value: sum };
      yield { metricName: `${this.#name}_count`, labels, value: count };
    }
  }
}
