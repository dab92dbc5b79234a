/** One measured loop. */
export interface Case {
  readonly name: string;
  /** How many of the question's items one run goes through. */
  readonly items: number;
  /** Bytes that it reads, where these are what counts besides. */
  readonly bytes?: number;
  run(): void;
}
