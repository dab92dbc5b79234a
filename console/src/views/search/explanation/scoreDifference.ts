/** Why one hit ranks below another: the differences of their scores, by clause and by factor, in words. */
import { type Contribution, contributionsOf, type Factor, fieldOf, scaleOf, soughtBy } from './contributions';
import type { ExplanationNode } from './explanationNode';

/** A reason. */
export interface ScoreDifference {
  key: string;
  /** What the lower hit gets more by it; negative where less. All of them add up to the difference of the scores. */
  amount: number;
  /** What it is about: `“fox” in title`. */
  subject: string;
  /** Why. */
  reason: string;
}

/** Differences below that share of the score are rounding. */
const ROUNDING = 1e-6;

/** The reasons, the largest difference first. */
export function scoreDifferences(above: ExplanationNode, below: ExplanationNode): ScoreDifference[] {
  const upper = new Map(contributionsOf(above).map((each) => [each.key, each]));
  const lower = new Map(contributionsOf(below).map((each) => [each.key, each]));
  const found: ScoreDifference[] = [];
  const factors = new Map<string, ScoreDifference>();
  for (const key of new Set([...upper.keys(), ...lower.keys()])) {
    const [a, b] = [upper.get(key), lower.get(key)];
    if (a === undefined || b === undefined) {
      found.push(oneSided(a, b));
      continue;
    }
    found.push({
      key,
      amount: (b.raw - a.raw) * scaleOf(a.factors),
      subject: subjectOf(a),
      reason: clauseReason(a.node, b.node),
    });
    addFactors(a, b, factors);
  }
  const least = Math.max(Math.abs(above.value), Math.abs(below.value)) * ROUNDING;
  return [...found, ...factors.values()]
    .filter(({ amount }) => Math.abs(amount) > least)
    .sort((x, y) => Math.abs(y.amount) - Math.abs(x.amount));
}

function subjectOf({ query }: Contribution): string {
  const field = fieldOf(query);
  return field === undefined ? query : `${soughtBy(query)} in ${field}`;
}

function oneSided(a: Contribution | undefined, b: Contribution | undefined): ScoreDifference {
  const { key, value } = (a ?? b)!;
  return {
    key,
    amount: a === undefined ? value : -value,
    subject: subjectOf((a ?? b)!),
    reason: a === undefined ? 'only this hit has it' : 'only the hit above has it',
  };
}

/** What comes of factors that differ: one after the other takes the value of the lower hit. */
function addFactors(a: Contribution, b: Contribution, all: Map<string, ScoreDifference>): void {
  const keys = [...new Set([...a.factors, ...b.factors].map(({ key }) => key))];
  const valueIn = ({ factors }: Contribution, key: string) =>
    factors.find((each) => each.key === key)?.value ?? 1;
  keys.forEach((key, i) => {
    const [before, after] = [valueIn(a, key), valueIn(b, key)];
    if (before === after) return;
    const others = keys.reduce(
      (product, other, j) => (j === i ? product : product * valueIn(j < i ? b : a, other)),
      1,
    );
    const amount = b.raw * (after - before) * others;
    const known = all.get(key);
    if (known !== undefined) known.amount += amount;
    else all.set(key, { key, amount, ...factorReason(factorOf(a, key), factorOf(b, key)) });
  });
}

function factorOf({ factors }: Contribution, key: string): Factor | undefined {
  return factors.find((each) => each.key === key);
}

function factorReason(
  a: Factor | undefined,
  b: Factor | undefined,
): Pick<ScoreDifference, 'subject' | 'reason'> {
  const { title } = (a ?? b)!;
  const [was, is] = [a?.node?.digits ?? String(a?.value ?? 1), b?.node?.digits ?? String(b?.value ?? 1)];
  if (title !== 'coord') return { subject: title, reason: `everything × ${is} instead of × ${was}` };
  const clauses = (factor: Factor | undefined) => factor?.node?.numbers?.replace(' / ', ' of ') ?? 'all';
  return { subject: 'coord', reason: `${clauses(b)} clauses match, above ${clauses(a)}` };
}

/** Why the same clause gives more or less. */
function clauseReason(a: ExplanationNode, b: ExplanationNode): string {
  const reasons: string[] = [];
  const [freqA, freqB] = [numberIn(a, 'frequency'), numberIn(b, 'frequency')];
  if (freqA !== undefined && freqB !== undefined && freqA.value !== freqB.value) {
    const count = Number.isInteger(freqB.value) ? occurrences(freqB.value) : `frequency ${freqB.digits}`;
    reasons.push(`${count} instead of ${Number.isInteger(freqA.value) ? freqA.value : freqA.digits}`);
  }
  const [normA, normB] = [numberIn(a, 'fieldNorm'), numberIn(b, 'fieldNorm')];
  if (normA !== undefined && normB !== undefined && normA.value !== normB.value)
    reasons.push(
      `the field is ${normB.value < normA.value ? 'longer' : 'shorter'} or boosted otherwise (norm ${normB.digits} instead of ${normA.digits})`,
    );
  const [lengthA, lengthB] = [numberIn(a, 'fieldLength'), numberIn(b, 'fieldLength')];
  if (lengthA !== undefined && lengthB !== undefined && lengthA.value !== lengthB.value)
    reasons.push(
      `the field is ${lengthB.value > lengthA.value ? 'longer' : 'shorter'} (${lengthB.digits} instead of ${lengthA.digits} terms)`,
    );
  const [idfA, idfB] = [numberIn(a, 'idf'), numberIn(b, 'idf')];
  if (idfA !== undefined && idfB !== undefined && idfA.value !== idfB.value)
    reasons.push(
      `in its shard the term is ${idfB.value < idfA.value ? 'more frequent' : 'rarer'} (idf ${idfB.digits} instead of ${idfA.digits})`,
    );
  if (reasons.length > 0) return reasons.join('; ');
  return a.value === b.value ? 'the same' : `gives ${b.digits} instead of ${a.digits}`;
}

function occurrences(count: number): string {
  return count === 1 ? '1 occurrence' : `${count} occurrences`;
}

/** The first number of that kind in a tree. */
function numberIn(node: ExplanationNode, kind: ExplanationNode['kind']): ExplanationNode | undefined {
  if (node.kind === kind) return node;
  for (const each of node.details) {
    const found = numberIn(each, kind);
    if (found !== undefined) return found;
  }
  return undefined;
}
