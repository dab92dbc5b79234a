/** Patterns, regular expressions and ranges over `_id`, `_uid`, `_type`, `_field_names` and `_index`. */

import { type Acceptor, acceptorOf } from '../../automata/acceptor.js';
import { isObject } from '../../json/values.js';
import type { PlanNode } from '../../plan/nodes.js';
import type { TermMatcher } from '../../plan/termMatcher.js';
import { type Dsl, NONE, typeNode } from '../context.js';
import { namesNode, typesThat, uidsNode } from './meta.js';

const utf8 = new TextEncoder();

/**
 * Documents with a value that a matcher takes; undefined if the field is an ordinary one.
 * @param under of a regular expression: the same behind a text, which is read as a part of it
 */
export function metaMatching(
  field: string,
  matcher: TermMatcher,
  dsl: Dsl,
  under?: (text: string) => TermMatcher,
): PlanNode | undefined {
  switch (field) {
    case '_id': {
      // Of ids 1.7 has terms only where a mapping says so; it looks for regular expressions among the uids.
      if (under !== undefined)
        return uidsNode(dsl, { patterns: dsl.types.map((type) => acceptor(under(`${type}#`))) });
      const { accepts } = acceptor(matcher);
      const patterns = indexed(dsl).map((type) => {
        const prefix = `${type}#`;
        return { prefix, accepts: (uid: string) => accepts(uid.slice(prefix.length)) };
      });
      return uidsNode(dsl, { patterns });
    }
    case '_uid':
      return uidsNode(dsl, { patterns: [acceptor(matcher)] });
    case '_type':
      return typeNode(dsl.model.typeNames().filter(acceptor(matcher).accepts));
    case '_field_names':
      return namesNode(fieldNames(dsl).filter(acceptor(matcher).accepts), dsl);
    case '_index':
      return acceptor(matcher).accepts(dsl.index) ? typeNode(typesThat(dsl, field)) : NONE;
    default:
      return undefined;
  }
}

/** The types whose ids are terms. */
function indexed({ model }: Dsl): string[] {
  return model.typeNames().filter((name) => {
    const section = model.type(name)!.root.echoed._id;
    return isObject(section) && section.index !== undefined && section.index !== 'no';
  });
}

/** The names of all fields and of the objects around them. */
function fieldNames({ model }: Dsl): string[] {
  const names = new Set<string>();
  for (const type of model.typeNames()) {
    for (const { fullName } of model.type(type)!.root.leaves()) {
      for (let end = fullName.length; end > 0; end = fullName.lastIndexOf('.', end - 1))
        names.add(fullName.slice(0, end));
    }
  }
  return [...names];
}

function acceptor(matcher: TermMatcher): Acceptor {
  switch (matcher.type) {
    case 'prefix': {
      const prefix = new TextDecoder().decode(matcher.prefix);
      return { prefix, accepts: (text) => text.startsWith(prefix) };
    }
    case 'range': {
      const { lower, upper, includeLower, includeUpper } = matcher;
      const accepts = (text: string) => {
        const bytes = utf8.encode(text);
        const above = lower === undefined ? 1 : compare(bytes, lower);
        const below = upper === undefined ? -1 : compare(bytes, upper);
        return (above > 0 || (above === 0 && includeLower)) && (below < 0 || (below === 0 && includeUpper));
      };
      return { prefix: '', accepts };
    }
    default:
      return acceptorOf(matcher.automaton);
  }
}

/** The order of terms: that of their bytes. */
function compare(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
