/** A few requests that show one thing. */
export interface Chapter {
  /** In the address. */
  name: string;
  title: string;
  /** What it shows. */
  about: string;
  steps: readonly Step[];
}

export interface Step {
  /** One sentence. */
  says: string;
  /** In the notation of the editor. */
  request: string;
}

/** A chapter with its sentences as comments. */
export function chapterText({ title, steps }: Chapter): string {
  const parts = steps.map(({ says, request }) => `# ${says}\n${request}\n`);
  return `# ${title}\n\n${parts.join('\n')}`;
}
