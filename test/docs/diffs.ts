/** Unified diffs, as `git diff` writes them. A change is put where its lines stand, whatever numbers the diff gives these. */

/** What a diff makes of one file. */
export interface Change {
  file: string;
  isNew: boolean;
  hunks: { before: string; after: string }[];
}

/** The changes of a diff, file by file. */
export function changesOf(diff: string): Change[] {
  return diff
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map((part) => {
      const [head = '', ...hunks] = part.split(/^@@ .*\n/m);
      return {
        file: /^\+\+\+ b\/(.*)$/m.exec(head)![1]!,
        isNew: /^--- \/dev\/null$/m.test(head),
        hunks: hunks.map((hunk) => ({ before: side(hunk, '-'), after: side(hunk, '+') })),
      };
    });
}

/** The lines of a hunk before (`-`) or after (`+`) it. */
function side(hunk: string, sign: '-' | '+'): string {
  const lines = hunk.split('\n').filter((line) => line.startsWith(' ') || line.startsWith(sign));
  return lines.map((line) => `${line.slice(1)}\n`).join('');
}

/** A text with a change; undefined where a hunk stands nowhere in it, or in several places. */
export function applyDiff(text: string, { isNew, hunks }: Change): string | undefined {
  if (isNew) return hunks.map(({ after }) => after).join('');
  let changed = text;
  for (const { before, after } of hunks) {
    const parts = changed.split(before);
    if (parts.length !== 2) return undefined;
    changed = parts.join(after);
  }
  return changed;
}
