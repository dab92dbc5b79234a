/**
 * Lucene's classic query syntax:
 *
 *     Query  := [Modifier] Clause ( [AND | OR] [Modifier] Clause )*        Modifier: + - NOT
 *     Clause := [Term ":" | "*" ":"] ( Term | "(" Query ")" ["^" Number] )
 *     Term   := ( word | prefix* | wild?card | /regexp/ ) ["~" [Number]] ["^" Number ["~" [Number]]]
 *             | ("[" | "{") bound ["TO"] bound ("]" | "}") ["^" Number]
 *             | "a phrase" ["~" [Number]] ["^" Number]
 *
 * What its parts mean is left to a {@link Builder}.
 */

import { escaped, KINDS, Kind, SyntaxFailure, type Token, Tokenizer } from './classicTokens.js';

/** How a clause is joined with the others. */
export const Join = { Must: 0, Should: 1, MustNot: 2 } as const;
export type Join = (typeof Join)[keyof typeof Join];

/** A clause of a query. */
export interface JoinedClause<Q> {
  join: Join;
  query: Q;
}

/** Makes queries of what was parsed; undefined where an analysis left nothing. `field` is undefined by default. */
export interface Builder<Q> {
  term(field: string | undefined, text: string): Q | undefined;
  phrase(field: string | undefined, text: string, slop: number | undefined): Q | undefined;
  /** `pattern` has its escapes still. */
  wildcard(field: string | undefined, pattern: string): Q | undefined;
  prefix(field: string | undefined, prefix: string): Q | undefined;
  regexp(field: string | undefined, pattern: string): Q | undefined;
  /** `similarity` is undefined after a bare `~`. */
  fuzzy(field: string | undefined, text: string, similarity: string | undefined): Q | undefined;
  /** An open bound is undefined. */
  range(
    field: string | undefined,
    from: string | undefined,
    to: string | undefined,
    includeFrom: boolean,
    includeTo: boolean,
  ): Q | undefined;
  boosted(query: Q, boost: number): Q;
  /** Undefined if there is no clause. */
  clauses(clauses: readonly JoinedClause<Q>[]): Q | undefined;
}

/** Parentheses within parentheses. */
const MAX_DEPTH = 64;

const STARTS: readonly Kind[] = [
  Kind.BareOperator,
  Kind.Open,
  Kind.Star,
  Kind.Quoted,
  Kind.Term,
  Kind.Prefix,
  Kind.Wildcard,
  Kind.Regexp,
  Kind.OpenIncluded,
  Kind.OpenExcluded,
  Kind.Number,
];
const MODIFIERS: readonly Kind[] = [Kind.Not, Kind.Plus, Kind.Minus];
/** What the parser looks for twice where a clause may begin, and so expects twice. */
const FIELDS: readonly Kind[] = [Kind.Term, Kind.Star];

/** Parses a text. Throws {@link SyntaxFailure} with Lucene's message. */
export function parseClassic<Q>(text: string, builder: Builder<Q>, allByDefault: boolean): Q | undefined {
  const parser = new Parser(text, builder, allByDefault);
  return parser.whole();
}

class Parser<Q> {
  readonly #tokens: Tokenizer;
  readonly #builder: Builder<Q>;
  readonly #allByDefault: boolean;
  #token: Token | undefined;
  #second: Token | undefined;
  /** What could have stood at the current token in place of what did. */
  #optional: Kind[] = [];
  #depth = 0;

  constructor(text: string, builder: Builder<Q>, allByDefault: boolean) {
    this.#tokens = new Tokenizer(text);
    this.#builder = builder;
    this.#allByDefault = allByDefault;
  }

  whole(): Q | undefined {
    const query = this.#query(undefined);
    this.#expect([Kind.End]);
    return query;
  }

  #query(field: string | undefined): Q | undefined {
    if (++this.#depth > MAX_DEPTH) {
      throw new SyntaxFailure(`more than ${MAX_DEPTH} parentheses within each other`);
    }
    const clauses: JoinedClause<Q>[] = [];
    const modifier = this.#modifier();
    const first = this.#clause(field, modifier === undefined);
    this.#add(clauses, undefined, modifier, first);
    for (;;) {
      const kind = this.#peek().kind;
      const conjunction = kind === Kind.And || kind === Kind.Or;
      if (!conjunction && !MODIFIERS.includes(kind) && !STARTS.includes(kind)) break;
      const join = conjunction ? this.#take().kind : undefined;
      const own = this.#modifier();
      this.#add(clauses, join, own, this.#clause(field, own === undefined));
    }
    this.#optional.push(Kind.And, Kind.Or, ...MODIFIERS, ...STARTS);
    this.#depth--;
    if (clauses.length === 1 && modifier === undefined && first !== undefined) return first;
    return this.#builder.clauses(clauses);
  }

  /** Adds a clause; what joins it with the one before may change that one too. */
  #add(
    clauses: JoinedClause<Q>[],
    conjunction: Kind | undefined,
    modifier: Kind | undefined,
    query: Q | undefined,
  ): void {
    const before = clauses.at(-1);
    if (before !== undefined && before.join !== Join.MustNot) {
      if (conjunction === Kind.And) before.join = Join.Must;
      else if (conjunction === Kind.Or && this.#allByDefault) before.join = Join.Should;
    }
    if (query === undefined) return;
    const prohibited = modifier === Kind.Minus || modifier === Kind.Not;
    const required = this.#allByDefault
      ? conjunction !== Kind.Or
      : modifier === Kind.Plus || conjunction === Kind.And;
    clauses.push({ join: prohibited ? Join.MustNot : required ? Join.Must : Join.Should, query });
  }

  #modifier(): Kind | undefined {
    if (MODIFIERS.includes(this.#peek().kind)) return this.#take().kind;
    this.#optional.push(...MODIFIERS);
    return undefined;
  }

  #clause(given: string | undefined, bare: boolean): Q | undefined {
    let field = given;
    const token = this.#peek();
    if ((token.kind === Kind.Term || token.kind === Kind.Star) && this.#peekSecond().kind === Kind.Colon) {
      this.#take();
      this.#take();
      field = token.kind === Kind.Star ? '*' : unescaped(token.image);
    }
    if (this.#peek().kind === Kind.Open) {
      this.#take();
      const query = this.#query(field);
      this.#expect([Kind.Close]);
      return this.#boosted(query, this.#boost());
    }
    if (!STARTS.includes(this.#peek().kind)) {
      const unmodified = bare ? MODIFIERS : [];
      // Behind a name and a colon no second name is looked for.
      this.#optional = [];
      throw this.#unexpected([...unmodified, ...STARTS], field === given ? FIELDS : []);
    }
    this.#optional = [];
    return this.#term(field);
  }

  #term(field: string | undefined): Q | undefined {
    const token = this.#take();
    switch (token.kind) {
      case Kind.OpenIncluded:
      case Kind.OpenExcluded:
        return this.#range(field, token.kind === Kind.OpenIncluded);
      case Kind.Quoted: {
        const slop = this.#optionally(Kind.Slop);
        const boost = this.#boost();
        const text = unescaped(token.image.slice(1, -1));
        return this.#boosted(this.#builder.phrase(field, text, slopOf(slop)), boost);
      }
      default: {
        let slop = this.#optionally(Kind.Slop);
        const boost = this.#boost();
        if (boost !== undefined) slop = this.#optionally(Kind.Slop) ?? slop;
        return this.#boosted(this.#word(field, token, slop), boost);
      }
    }
  }

  #word(field: string | undefined, { kind, image }: Token, slop: Token | undefined): Q | undefined {
    // Escapes are looked at whatever the token is.
    const text = unescaped(kind === Kind.BareOperator ? image.slice(0, 1) : image);
    if (kind === Kind.Star || kind === Kind.Wildcard) return this.#builder.wildcard(field, image);
    if (kind === Kind.Prefix) return this.#builder.prefix(field, unescaped(image.slice(0, -1)));
    if (kind === Kind.Regexp) return this.#builder.regexp(field, image.slice(1, -1));
    if (slop === undefined) return this.#builder.term(field, text);
    return this.#builder.fuzzy(field, text, slop.image.length === 1 ? undefined : slop.image.slice(1));
  }

  #range(field: string | undefined, includeFrom: boolean): Q | undefined {
    const from = bound(this.#expect([Kind.RangeQuoted, Kind.RangeWord]));
    this.#optionally(Kind.To);
    const to = bound(this.#expect([Kind.RangeQuoted, Kind.RangeWord]));
    const includeTo = this.#expect([Kind.CloseIncluded, Kind.CloseExcluded]).kind === Kind.CloseIncluded;
    const boost = this.#boost();
    return this.#boosted(this.#builder.range(field, from, to, includeFrom, includeTo), boost);
  }

  #boost(): number | undefined {
    if (this.#optionally(Kind.Caret) === undefined) return undefined;
    return Number(this.#expect([Kind.Number]).image);
  }

  #boosted(query: Q | undefined, boost: number | undefined): Q | undefined {
    return query === undefined || boost === undefined ? query : this.#builder.boosted(query, boost);
  }

  #peek(): Token {
    this.#token ??= this.#tokens.next();
    return this.#token;
  }

  #peekSecond(): Token {
    this.#peek();
    this.#second ??= this.#tokens.next();
    return this.#second;
  }

  #take(): Token {
    const token = this.#peek();
    this.#token = this.#second;
    this.#second = undefined;
    this.#optional = [];
    return token;
  }

  #optionally(kind: Kind): Token | undefined {
    if (this.#peek().kind === kind) return this.#take();
    this.#optional.push(kind);
    return undefined;
  }

  #expect(kinds: readonly Kind[]): Token {
    if (kinds.includes(this.#peek().kind)) return this.#take();
    throw this.#unexpected(kinds);
  }

  #unexpected(expected: readonly Kind[], again: readonly Kind[] = []): SyntaxFailure {
    const { kind, image, column } = this.#peek();
    const found = kind === Kind.End ? '<EOF>' : ` ${KINDS[kind].replace(' ...', '')} "${escaped(image)} "`;
    const kinds = [...new Set([...this.#optional, ...expected])].sort((a, b) => a - b);
    const all = [...kinds, ...again];
    const list = all.map((each) => `    ${KINDS[each]}\n`).join('');
    return new SyntaxFailure(
      `Encountered "${found}" at line 1, column ${column}.\nWas expecting${all.length > 1 ? ' one of' : ''}:\n${list}    `,
    );
  }
}

/** The slop behind a phrase, cut to a whole number; undefined where there is none, or something else. */
function slopOf(token: Token | undefined): number | undefined {
  if (token === undefined || token.image.length === 1) return undefined;
  const slop = Math.trunc(Number(token.image.slice(1)));
  return Number.isNaN(slop) ? undefined : Math.min(slop, 0x7fff_ffff);
}

function bound({ kind, image }: Token): string | undefined {
  if (kind === Kind.RangeQuoted) return unescaped(image.slice(1, -1));
  return image === '*' ? undefined : unescaped(image);
}

/** A text without its backslashes; `\uXXXX` is a character. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  let out = '';
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '\\') {
      out += text[i];
      continue;
    }
    i++;
    if (i >= text.length) throw new SyntaxFailure('Term can not end with escape character.');
    if (text[i] !== 'u') {
      out += text[i];
      continue;
    }
    const digits = text.slice(i + 1, i + 5);
    const wrong = /[^0-9a-fA-F]/.exec(digits);
    if (wrong !== null) {
      throw new SyntaxFailure(`Non-hex character in Unicode escape sequence: ${wrong[0]}`);
    }
    if (digits.length < 4) throw new SyntaxFailure('Truncated unicode escape sequence.');
    out += String.fromCharCode(Number.parseInt(digits, 16));
    i += 4;
  }
  return out;
}

/** A text with everything escaped that means something. */
export function escapeSyntax(text: string): string {
  return text.replace(/[\\+\-!():^[\]"{}~*?|&/]/g, '\\$&');
}
