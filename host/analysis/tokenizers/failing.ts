import { ElasticsearchError } from '../../errors.js';
import type { HostTokenizer } from '../part.js';

/** A tokenizer that 1.7 accepts when an index is created, and that then fails on every text. */
export function failing(message: string): HostTokenizer {
  return {
    tokenize() {
      throw new ElasticsearchError('IllegalArgumentException', message);
    },
  };
}
