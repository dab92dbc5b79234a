/** How many threads a server has where nobody says it. */

/** Threads for so many cores: half of them coordinate where there are enough. */
export function defaultThreads(cores: number): { data: number; coordinators: number } {
  const coordinators = cores < 4 ? 1 : Math.min(32, Math.floor(cores / 2));
  return { data: Math.max(1, cores - Math.max(1, coordinators)), coordinators };
}
