// What is noted of a plan while its nodes are read: what the search has to do besides.

/** Whether a function score of the nodes read has a minimum score: scores decide about matches. */
export let planScored: bool = false;
/** Whether anything goes by which documents the filters around let through: such a one where scores count for nothing else, or a sum. */
export let planTested: bool = false;
/** Whether there are joins or limits among them, which are worked out before all else. */
export let planJoins: bool = false;

/** Before the first node of a plan. */
export function startTraits(): void {
  planScored = false;
  planTested = false;
  planJoins = false;
}

/** Sets whether scores decide about matches; how that was before. */
export function swapScored(scored: bool): bool {
  const before = planScored;
  planScored = scored;
  return before;
}

export function noteTested(): void {
  planTested = true;
}

export function noteJoins(): void {
  planJoins = true;
}
