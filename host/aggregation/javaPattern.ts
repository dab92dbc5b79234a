/** Regular expressions of Java, as those of Lucene, which automata are made of: what both can say. */

import { ElasticsearchError, illegalArgument } from '../errors.js';

/** Flags of a pattern in 1.7's bodies, joined by `|`. */
export interface PatternFlags {
  ignoreCase: boolean;
  literal: boolean;
}

export function readFlags(text: string): PatternFlags {
  const names = text.split('|');
  return { ignoreCase: names.includes('CASE_INSENSITIVE'), literal: names.includes('LITERAL') };
}

const CLASSES: Record<string, string> = { d: '0-9', w: 'a-zA-Z0-9_', s: ' \t\n\r\f\v' };

/** 400: Java's complaint about a pattern. */
function syntaxError(what: string, at: number, pattern: string): ElasticsearchError {
  return new ElasticsearchError('PatternSyntaxException', `${what} near index ${at}\n${pattern}`, {
    status: 400,
  });
}

/** The same words as a pattern of Lucene; fails where there is no automaton for a pattern. */
export function lucenePattern(pattern: string, flags: PatternFlags): string {
  if (flags.literal) return [...pattern].map((c) => literal(c, flags)).join('');
  let out = '';
  let depth = 0;
  for (let i = 0; i < pattern.length; i++) {
    const c = String.fromCodePoint(pattern.codePointAt(i)!);
    if (c.length > 1) i++;
    switch (c) {
      case '\\': {
        const next = pattern[++i];
        if (next === undefined) throw syntaxError('Unexpected internal error', i, pattern);
        if (CLASSES[next] !== undefined) out += `[${CLASSES[next]}]`;
        else if (CLASSES[next.toLowerCase()] !== undefined) out += `[^${CLASSES[next.toLowerCase()]}]`;
        else if (/[A-Za-z0-9]/.test(next)) {
          const control = CONTROLS[next];
          if (control === undefined)
            throw illegalArgument(`the pattern [${pattern}] needs [\\${next}], which is not offered`);
          out += control;
        } else out += `\\${next}`;
        break;
      }
      case '[': {
        const end = classEnd(pattern, i);
        out += characterClass(pattern.slice(i + 1, end), flags, pattern);
        i = end;
        break;
      }
      case '(':
        depth++;
        out += c;
        if (pattern[i + 1] === '?') {
          if (pattern[i + 2] !== ':')
            throw illegalArgument(
              `the pattern [${pattern}] needs [(?${pattern[i + 2]}], which is not offered`,
            );
          i += 2;
        }
        break;
      case ')':
        if (--depth < 0) throw syntaxError("Unmatched closing ')'", Math.max(i - 1, 0), pattern);
        out += c;
        break;
      case '^':
      case '$':
        // A word matches as a whole.
        break;
      case '*':
      case '+':
      case '?':
      case '}':
        out += c;
        // How greedy a part is doesn't change which words match.
        if (pattern[i + 1] === '?' || pattern[i + 1] === '+') i++;
        break;
      case '|':
      case '.':
      case '{':
        out += c;
        break;
      default:
        out += /[0-9,]/.test(c) ? c : literal(c, flags);
    }
  }
  if (depth > 0) throw syntaxError('Unclosed group', pattern.length, pattern);
  return out;
}

const CONTROLS: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f' };

function literal(c: string, { ignoreCase }: PatternFlags): string {
  const [lower, upper] = [c.toLowerCase(), c.toUpperCase()];
  if (ignoreCase && lower !== upper && /^[a-z]$/.test(lower)) return `[${lower}${upper}]`;
  return /[\w\s\u0080-\u{10ffff}]/u.test(c) ? c : `\\${c}`;
}

function classEnd(pattern: string, start: number): number {
  let i = start + 1;
  if (pattern[i] === '^') i++;
  if (pattern[i] === ']') i++;
  for (; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === ']') return i;
  }
  throw syntaxError('Unclosed character class', pattern.length - 1, pattern);
}

function characterClass(inside: string, { ignoreCase }: PatternFlags, pattern: string): string {
  if (/\[|&&/.test(inside))
    throw illegalArgument(`the pattern [${pattern}] needs classes in classes, which are not offered`);
  const plain = inside.replace(/\\([dws])/g, (_, name: string) => CLASSES[name]!);
  if (!ignoreCase) return `[${plain}]`;
  const both = plain.replace(/[a-z](-[a-z])?|[A-Z](-[A-Z])?/g, (part) =>
    part === part.toLowerCase() ? part + part.toUpperCase() : part + part.toLowerCase(),
  );
  return `[${both}]`;
}
