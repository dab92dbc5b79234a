/** The machine that a program runs on, as far as it may know it. */
import { availableParallelism, cpus } from 'node:os';

/** What figures of speed depend on most. */
export interface Machine {
  cpu: string;
  cores: number;
  /** The runtime and its version. */
  runtime: string;
}

/** Deno asks for a permission for the name of the processor. */
export function describeMachine(): Machine {
  const { deno, bun, node } = process.versions as Record<string, string | undefined>;
  const runtime = deno !== undefined ? `Deno ${deno}` : bun !== undefined ? `Bun ${bun}` : `Node ${node}`;
  return {
    cpu: allowed(() => cpus()[0]?.model) ?? 'unknown processor',
    cores: allowed(availableParallelism) ?? 0,
    runtime,
  };
}

function allowed<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
