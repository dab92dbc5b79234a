/** A value, what it is, and what it is made of. */
export interface Explanation {
  value: number;
  description: string;
  details: Explanation[];
  /** Whether the document matches what is explained. */
  matched: boolean;
}
