/** A fault that has begun. */
export interface Fault {
  readonly name: string;
  /** Ends it; resolves when what was dead runs again. */
  heal(): Promise<void>;
}
