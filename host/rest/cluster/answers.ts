/** Answers to what nodes ask each other for by way of the interface. */
import type { Engine } from '../../engine/engine.js';
import { answerStatistics } from './copyStats.js';
import type { NodeNames } from './node.js';
import { STATISTICS_QUESTION } from './nodeQuestions.js';
import { answerRecoveries } from './recoveries.js';

/** @param kind one of the kinds that nodeQuestions.ts names */
export async function answerQuestion(
  kind: string,
  engine: Engine,
  names: NodeNames,
  question: Uint8Array,
): Promise<Uint8Array> {
  return kind === STATISTICS_QUESTION
    ? answerStatistics(engine, question)
    : answerRecoveries(engine, names, question);
}
