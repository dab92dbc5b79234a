/** Who contributes what to a score: the clauses of an explanation, each with what it is multiplied by on its way up. */
import type { ExplanationNode } from './explanationNode';

/** A number that a part of the score is multiplied by. */
export interface Factor {
  /** The same for the same factor of other hits. */
  key: string;
  node: ExplanationNode | undefined;
  /** For people: `coord`. */
  title: string;
  value: number;
}

/** A clause that gives a part of the score. */
export interface Contribution {
  /** The same for the same clause of other hits. */
  key: string;
  /** As Lucene prints the query. */
  query: string;
  /** Undefined where the clause is of no single field. */
  field: string | undefined;
  node: ExplanationNode;
  /** What it gives by itself. */
  raw: number;
  /** From the root down. */
  factors: readonly Factor[];
  /** What it gives to the whole: `raw` times all factors. */
  value: number;
}

/** The clauses that make the score, in the order of the query. Those that others outdo (`max of`) give 0. */
export function contributionsOf(root: ExplanationNode): Contribution[] {
  const found: Contribution[] = [];
  walk(root, [], found);
  return found;
}

/** What each field, or each clause where it is of none, gives; the largest first. */
export function byField(contributions: readonly Contribution[]): { name: string; value: number }[] {
  const sums = new Map<string, number>();
  for (const { field, query, value } of contributions) {
    const name = field ?? query;
    sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return [...sums].map(([name, value]) => ({ name, value })).sort((a, b) => b.value - a.value);
}

/** What factors come to. */
export function scaleOf(factors: readonly Factor[]): number {
  return factors.reduce((product, { value }) => product * value, 1);
}

function walk(node: ExplanationNode, factors: readonly Factor[], found: Contribution[]): void {
  const { details } = node;
  switch (node.kind) {
    case 'sum':
      for (const each of details) walk(each, factors, found);
      return;
    case 'average':
      for (const each of details) {
        const share = {
          key: keyOf('mean', factors),
          node: undefined,
          title: 'mean',
          value: 1 / details.length,
        };
        walk(each, [...factors, share], found);
      }
      return;
    case 'max':
    case 'min':
    case 'maxPlus': {
      const wanted = (node.kind === 'min' ? Math.min : Math.max)(...details.map(({ value }) => value));
      const winner = details.find(({ value }) => value === wanted);
      const title = node.kind === 'maxPlus' ? 'tie_breaker' : 'another clause counts';
      for (const each of details) {
        const value = each === winner ? 1 : (node.tieBreaker ?? 0);
        const factor = { key: keyOf(node.kind, factors), node: undefined, title, value };
        walk(each, [...factors, factor], found);
      }
      return;
    }
    case 'product':
    case 'functionScore': {
      const scoring = details.filter((each) => !isFactor(each, node));
      const [first, ...others] = scoring;
      if (first === undefined) break;
      const more = details.filter(
        (each) => each !== first && (others.includes(each) || isFactor(each, node)),
      );
      walk(first, [...factors, ...more.map((each) => factorOf(each, factors))], found);
      return;
    }
    case 'score':
      // A clause is its weight; without that above it, it is one by itself.
      break;
    default:
      break;
  }
  add(node, factors, found);
}

/** Whether a part of a product is no score of its own. */
function isFactor({ kind }: ExplanationNode, { details }: ExplanationNode): boolean {
  if (kind === 'coord' || kind === 'factor' || kind === 'number') return true;
  // Functions multiply the score of a query, and are all of it where they replace that (boost_mode).
  return kind === 'function' && details.some((each) => isScore(each));
}

function isScore({ kind }: ExplanationNode): boolean {
  return kind !== 'coord' && kind !== 'factor' && kind !== 'number' && kind !== 'function';
}

function keyOf(name: string, factors: readonly Factor[]): string {
  return `${name}@${factors.length}`;
}

function factorOf(node: ExplanationNode, factors: readonly Factor[]): Factor {
  return { key: keyOf(node.title, factors), node, title: node.title, value: node.value };
}

function add(node: ExplanationNode, factors: readonly Factor[], found: Contribution[]): void {
  if (node.kind === 'noMatch') return;
  const query = node.query ?? node.title;
  const same = found.filter((each) => each.query === query).length;
  const key = same === 0 ? query : `${query}#${same}`;
  const field = fieldOf(query);
  found.push({ key, query, field, node, raw: node.value, factors, value: node.value * scaleOf(factors) });
}

const FIELD = /^([^\s:"()[\],]+):/;

/** The field that a printed clause is of. */
export function fieldOf(query: string): string | undefined {
  return FIELD.exec(query)?.[1] ?? undefined;
}

/** What a printed clause of one field looks for, for people: `“fox”`. */
export function soughtBy(query: string): string {
  const field = FIELD.exec(query);
  if (field === null) return query;
  const text = query.slice(field[0].length).replace(/\^[\d.E-]+$/, '');
  return /^".*"(~\d+)?$/s.test(text) ? text.replace(/^"(.*)"/s, '“$1”') : `“${text}”`;
}
