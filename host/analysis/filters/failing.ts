import type { ElasticsearchError } from '../../errors.js';
import type { HostTokenFilter } from '../part.js';

/** A filter that can be defined but not used, as those are that 1.7 only makes when it needs them. */
export function failing(error: ElasticsearchError): HostTokenFilter {
  return {
    filterTokens() {
      throw error;
    },
  };
}
