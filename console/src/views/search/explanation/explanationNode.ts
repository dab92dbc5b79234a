/** Explanations of scores as Lucene 4.10 writes them, read: each node with what it is, its formula and its numbers. */
import { isObject, type Json, LosslessNumber } from '../../../api/json';
import { FUNCTION_RULES } from './functionRules';
import { MODEL_RULES } from './modelRules';
import { QUERY_RULES } from './queryRules';
import type { Reading, Rule } from './rule';
import { TERM_RULES } from './termRules';

/** A node of an explanation. */
export interface ExplanationNode extends Reading {
  /** Its place in the tree: `0.1.2`. */
  id: string;
  value: number;
  /** The value to the digit, as the server wrote it. */
  digits: string;
  /** The server's text. */
  description: string;
  details: ExplanationNode[];
}

const RULES: readonly Rule[] = [...TERM_RULES, ...QUERY_RULES, ...FUNCTION_RULES, ...MODEL_RULES];

/** Reads an `_explanation`; undefined where it is none. */
export function readExplanation(json: Json | undefined): ExplanationNode | undefined {
  return isObject(json) ? read(json, '0', false) : undefined;
}

function read(json: { [name: string]: Json | undefined }, id: string, isBm25: boolean): ExplanationNode {
  const description = typeof json.description === 'string' ? json.description : '';
  const inner = Array.isArray(json.details) ? json.details.filter(isObject) : [];
  // What idf is worked out with is told by what stands beside it alone.
  const bm25 = isBm25 || inner.some((each) => String(each.description ?? '').startsWith('tfNorm'));
  const details = inner.map((each, i) => read(each, `${id}.${i}`, bm25));
  const digits = digitsOf(json.value);
  const node = { id, value: Number(digits), digits, description, details };
  return { ...node, ...readingOf(node, bm25) };
}

function digitsOf(value: Json | undefined): string {
  return value instanceof LosslessNumber ? value.value : String(value ?? 0);
}

function readingOf(node: Omit<ExplanationNode, keyof Reading>, isBm25: boolean): Reading {
  const own = { digits: node.digits, details: node.details, isBm25 };
  for (const { pattern, read: reading } of RULES) {
    const match = pattern.exec(node.description);
    if (match !== null) return reading(match, own);
  }
  return { kind: 'unknown', title: node.description, meaning: '' };
}
