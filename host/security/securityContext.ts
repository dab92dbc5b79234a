import type { ElasticsearchError } from '../errors.js';

/** Who asks, where names are refused to some: what it doesn't cover is found by no wildcard, and refused where it is named. */
export interface SecurityContext {
  /** Whether it may touch what has that name, if there is anything. */
  covers(name: string): boolean;
  /** 403. */
  refusal(): ElasticsearchError;
}
