/** Rewritten queries as Lucene prints them. */

import { floatText } from '../numbers/javaNumbers.js';
import {
  type ExplanationNode,
  type SpanExplanation,
  SpanKind,
  type TermExplanation,
} from './explanationNodes.js';
import { Occur } from '../core/abi/plan.js';
import { type FieldNames, print } from '../plan/print.js';
import { phraseText } from '../plan/nodes/phrase.js';

/** A node of a rewritten query with its boost. */
export function printExplanationNode(fact: ExplanationNode, names: FieldNames): string {
  const boost = fact.boost === 1 ? '' : `^${floatText(fact.boost)}`;
  const inner = (part: ExplanationNode) =>
    part.is.kind === 'boolean' ? `(${printExplanationNode(part, names)})` : printExplanationNode(part, names);
  switch (fact.is.kind) {
    case 'leaf': {
      const { leaf, isPhrase, span, terms, slop } = fact.is;
      if (span !== undefined) return spanText(span, names) + boost;
      const name = names[leaf.field] ?? '';
      if (!isPhrase) return `${name}:${terms[0]!.term}${boost}`;
      return `${name}:${phrase(terms)}${slop === 0 ? '' : `~${slop}`}${boost}`;
    }
    case 'boolean': {
      if (fact.origin?.kind === 'boosting') break;
      const { parts, minimum } = fact.is;
      const sign = ({ occur }: ExplanationNode) =>
        occur === Occur.Must ? '+' : occur === Occur.MustNot ? '-' : '';
      const list = parts.map((part) => sign(part) + inner(part)).join(' ');
      if (fact.boost === 1 && minimum === 0) return list;
      return `(${list})${minimum > 0 ? `~${minimum}` : ''}${boost}`;
    }
    case 'disMax': {
      const { tieBreaker, parts } = fact.is;
      const tie = tieBreaker === 0 ? '' : `~${floatText(tieBreaker)}`;
      return `(${parts.map(inner).join(' | ')})${tie}${boost}`;
    }
    case 'filtered': {
      if (fact.origin?.kind !== 'filtered') break;
      return `filtered(${printExplanationNode(fact.is.query, names)})->${print(fact.origin.filter, names)}${boost}`;
    }
    default:
      break;
  }
  const { origin } = fact;
  if (origin === undefined) return '';
  if (origin.kind !== 'multiTerm') return print(origin, names);
  // Without a term of the kind, 1.7 has a query of no clauses.
  if (fact.termless && origin.matcher.type !== 'range') return `ConstantScore()${boost}`;
  return `ConstantScore(${print(origin, names)})${boost}`;
}

function spanText(span: SpanExplanation, names: FieldNames): string {
  const parts = () => span.parts.map((part) => spanText(part, names));
  switch (span.kind) {
    case SpanKind.term:
      return `${names[span.field] ?? ''}:${span.term}`;
    case SpanKind.near:
      return `spanNear([${parts().join(', ')}], ${span.first | 0}, ${span.second === 1})`;
    case SpanKind.or:
      return `spanOr([${parts().join(', ')}])`;
    case SpanKind.not:
      return `spanNot(${parts().join(', ')}, ${span.first}, ${span.second})`;
    case SpanKind.first:
      return `spanFirst(${parts().join()}, ${span.second})`;
    default:
      return `mask(${parts().join()}) as ${names[span.field] ?? ''}`;
  }
}

/** The terms of a phrase, those of one position together. */
function phrase(terms: readonly TermExplanation[]): string {
  const utf8 = new TextEncoder();
  const positions = new Map<number, Uint8Array[]>();
  for (const { position, term } of terms)
    positions.set(position, [...(positions.get(position) ?? []), utf8.encode(term)]);
  return phraseText([...positions].map(([position, terms]) => ({ position, terms })));
}
