/** What is wrong with an answer: a trap, an error that nobody means, a line of the log. One judge for all fuzzers. */

/** What 1.7 answers with 500 as well, and what this server refuses on purpose. */
const DELIBERATE =
  /AggregationExecutionException|ClassCastException|MustacheException|Result window is too large|NullPointerException|JsonParseException|IllegalArgumentException\[(Malformed|Action|No enum)|NumberFormatException|TimestampParsingException|SettingsException|Scroll must be provided|Shutdown is disabled|failed to execute suggest|failed to execute term vector request|IOException|CircuitBreakingException|q should be in|TooLongFrame|ArrayIndexOutOfBoundsException|NegativeArraySizeException|Illegal precision length|maxLen must be|is not a completion suggest field|Unable to find a field mapper|fragCharSize|maxNumFragments|margin\(|are disabled|PercolatorException|No fields found to fetch the 'likeText'|numHits must be > 0|Fractional absolute document frequencies|Expressions referencing the score|indexed without position data|Missing value for (?:a )?field|Result of field modification|SnapshotRestoreException|SnapshotException|RepositoryException/;

/** Refusals for the time being: nothing is wrong with the server. */
const UNAVAILABLE =
  /ElasticsearchTimeoutException|SearchPhaseExecutionException|ConcurrentSnapshotExecutionException|NoShardAvailableActionException|the request took longer than it may|CircuitBreakingException/;

/** Names that only a fault of the program or of the core has. */
const FAULT =
  /\b(?:TypeError|RangeError|ReferenceError|SyntaxError|URIError|EvalError|AggregateError|RuntimeError|CoreTrap|CoreError|ShardLost|Error|Exception)\[|unreachable|memory access out of bounds|malformed plan|malformed batch|could not be recovered/;

/** Lines of the log that requests bring about on purpose. */
const EXPECTED_LINES =
  /slowlog|has memory again|operations again|the memory of the core is exhausted; it takes no writes|restoring \[|snapshot \[|indexed again|answers on http|"event":"opened"/;

/** An answer as a judge sees it. */
export interface Judged {
  status: number;
  /** The text of the body. */
  text: string;
  /** Nothing of an error is shown, because a filter or the method hides it. */
  hidden?: boolean;
}

/** What is wrong with an answer; undefined where nothing is. */
export function complaintOf({ status, text, hidden }: Judged): string | undefined {
  const said = unfolded(text);
  const fault = faultIn(said);
  if (fault !== undefined) return fault;
  if (status < 500 || hidden === true || status === 501) return undefined;
  if (status === 503) return UNAVAILABLE.test(said) ? undefined : 'status 503';
  return DELIBERATE.test(said) ? undefined : `status ${status}`;
}

/** What is wrong with a line of the log; undefined where it is meant. */
export function complaintOfLine(line: string): string | undefined {
  return EXPECTED_LINES.test(line) ? undefined : 'a line of the log';
}

/** A fault that an answer tells of: as its error, as that of an item, or as the failure of a shard. */
function faultIn(text: string): string | undefined {
  if (!FAULT.test(text)) return undefined;
  for (const error of errorsIn(text)) {
    // What was asked for is quoted in brackets.
    const found = FAULT.exec(unquoted(error));
    if (found !== null) return `fault ${found[0]}`;
  }
  return undefined;
}

/** The texts of `error` and `reason` keys, and of failures that stand where others have values. */
function errorsIn(text: string): string[] {
  return [...text.matchAll(/"?(?:error|reason|failure|_explanation)"?\s*:\s*"((?:[^"\\]|\\.)*)"/g)].map(
    ([, said]) => said!,
  );
}

/** An error without the source that it shows. */
function unquoted(error: string): string {
  return error.replace(/Failed to parse source \[.*?\]\]?; nested/gs, '; nested').replace(/source\[.*/s, '');
}

/** A text of YAML without the ends of its lines. */
function unfolded(body: string): string {
  return body.replaceAll(/\\\r?\n\s*\\?/g, '');
}

/** Findings: each kind once, with the first that was found. */
export class Findings {
  readonly #found = new Map<string, { count: number; example: string }>();

  /** @param kind what is wrong; parts in brackets and numbers don't make it another */
  add(kind: string, answer: string, example: string): boolean {
    const key = kind + answer.replaceAll(/\[[^\]]*\]|\d+/g, '').slice(0, 120);
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { count: 1, example });
    else known.count++;
    return known === undefined;
  }

  get size(): number {
    return this.#found.size;
  }

  /** The examples, with how often each kind was found. */
  *examples(): Generator<string> {
    for (const { count, example } of this.#found.values()) yield `${count}x ${example}`;
  }
}
