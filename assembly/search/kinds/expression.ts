import { BLOCK } from '../../docvalues/packed';
import { evaluateProgram } from '../../expression/evaluate';
import { openProgram, Program, programNext } from '../../expression/program';
import { Bitset } from '../../memory/bitset';
import { Query } from '../../plan/query';
import { Decoding } from '../decoding';
import { TermSet } from '../termSet';

// The documents for which an expression is not 0 without its fraction.

export function decodeExpression(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.lower = programNext();
}

/** Documents that it is evaluated for at once. */
const someDocs: usize = memory.data(512, 16);

export function fillExpression(set: TermSet, query: Query): bool {
  const program = changetype<Program>(query.lower);
  const docCount = set.segment.docCount;
  if (!openProgram(program, set.segment)) return false;
  for (let base: u32 = 0; base < docCount; base += BLOCK) {
    const n = min(BLOCK, docCount - base);
    for (let i: u32 = 0; i < n; i++) store<u32>(someDocs + ((<usize>i) << 2), base + i);
    const found = evaluateProgram(program, someDocs, n, 0, 0);
    for (let i: u32 = 0; i < n; i++)
      if (<i64>load<f64>(found + ((<usize>i) << 3)) != 0) Bitset.set(set.bits, base + i);
  }
  return true;
}
