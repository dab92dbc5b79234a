import { Matcher } from '../../docset/matcher';
import { Query } from '../../plan/query';
import { Compiling } from '../compiling';
import { keptMatcher } from '../kept';

// What is kept of a filter in every segment, in place of it (decodeNodes.ts).

export function compileKept(c: Compiling, query: Query, _scoring: bool, _bulk: bool): Matcher | null {
  return keptMatcher(c.segment, load<usize>(query.parts + ((<usize>c.ordinal) << 2)));
}
