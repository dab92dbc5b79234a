import { Matcher } from './matcher';
import { Segment } from '../segment/segment';

// The functions of a function score: what each makes of a document, before filters and modes (search/README.md).

@unmanaged
export class ScoreFunction {
  kind: u8;
  modifier: u8;
  hasMissing: bool;
  shape: u8;
  /** What becomes of several values. */
  mode: u8;
  hasWeight: bool;
  weight: f32;
  seed: u32;
  field: u32;
  factor: f32;
  missing: f64;
  /** Of a decay; the latitude of a point. */
  origin: f64;
  longitude: f64;
  /** As the formula takes it. */
  scale: f64;
  offset: f64;
  /** Compiled for a segment: the field's column, 0 where no document has a value. */
  column: usize;
  /** Of a script: its program. */
  program: usize;
  /** Which of the query's children the filter is, 0 where there is none. */
  filterChild: u32;
  /** Compiled for a segment: the filter's Matcher, 0 where all documents pass; none passes where `never`. */
  filter: usize;
  never: bool;
}

/** A function score compiled for a segment. */
@unmanaged
export class FunctionScore {
  child: Matcher;
  /** Array of ScoreFunction pointers. */
  functions: usize;
  count: u32;
  single: bool;
  scoreMode: u8;
  boostMode: u8;
  /** The query's own boost, which is multiplied in beside its part in the weights. */
  boost: f32;
  maxBoost: f32;
  hasMinScore: bool;
  minScore: f32;
  segment: Segment;

  @inline at(i: u32): ScoreFunction {
    return changetype<ScoreFunction>(load<usize>(this.functions + <usize>i * sizeof<usize>()));
  }
}
