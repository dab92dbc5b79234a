/** Synonym rules in Solr's and WordNet's formats, read as Lucene's parsers read them. */
import { ElasticsearchError, illegalArgument, javaIllegalArgument } from '../../errors.js';

/** Words of one side of a rule. */
type Phrase = readonly string[];

/** What takes the place of one left side. */
export interface SynonymEntry {
  input: Phrase;
  outputs: Phrase[];
}

/** Most pairs of a left and a right side; a line of n equivalent phrases makes n². */
const MAX_PAIRS = 2_000_000;

/** From this number of outputs on, a left side keeps a set of them. */
const MANY = 16;

/** Left sides, each once, and what the rules make of them. */
class Builder {
  readonly #entries = new Map<string, SynonymEntry>();
  /** The outputs of left sides that have many. */
  readonly #sets = new Map<SynonymEntry, Set<string>>();
  #pairs = 0;

  /** Every left side becomes all of the right ones. */
  addAll(inputs: readonly Phrase[], outputs: readonly Phrase[]): void {
    // Before any of them is made.
    this.#pairs += inputs.length * outputs.length;
    if (this.#pairs > MAX_PAIRS) throw javaIllegalArgument(`more than ${MAX_PAIRS} pairs of synonyms`);
    for (const input of inputs) for (const output of outputs) this.#add(input, output);
  }

  #add(input: Phrase, output: Phrase): void {
    const key = input.length === 1 ? input[0]! : input.join('\0');
    const entry = this.#entries.get(key);
    if (entry === undefined) this.#entries.set(key, { input, outputs: [output] });
    else if (!this.#has(entry, output)) entry.outputs.push(output);
  }

  #has(entry: SynonymEntry, output: Phrase): boolean {
    const { outputs } = entry;
    if (outputs.length < MANY) {
      return outputs.some(
        (each) => each.length === output.length && each.every((word, i) => word === output[i]),
      );
    }
    let set = this.#sets.get(entry);
    if (set === undefined) {
      set = new Set(outputs.map((each) => each.join('\0')));
      this.#sets.set(entry, set);
    }
    const text = output.join('\0');
    if (set.has(text)) return true;
    set.add(text);
    return false;
  }

  /** Each of the equivalent phrases becomes all of them, itself among them, or the first one. */
  addEquivalent(phrases: readonly Phrase[], expand: boolean): void {
    this.addAll(phrases, expand ? phrases : phrases.slice(0, 1));
  }

  entries(): SynonymEntry[] {
    return [...this.#entries.values()];
  }
}

/** How rules are read. */
export interface SynonymFormat {
  wordnet: boolean;
  /** Equivalent phrases stand for each other, not all for the first. */
  expand: boolean;
  /** The words of a phrase. */
  words(text: string): string[];
}

/** The entries of rules, a line or more each. */
export function readSynonyms(rules: readonly string[], format: SynonymFormat): SynonymEntry[] {
  const builder = new Builder();
  const lines = rules.join('\n').split(/\r\n|\r|\n/);
  let line = 0;
  const analyze = (text: string): Phrase => {
    const words = format.words(text);
    if (words.length === 0) throw javaIllegalArgument(`term: ${text} was completely eliminated by analyzer`);
    // A zero is what separates words.
    return words.some((word) => word.includes('\0')) ? words.join('\0').split('\0') : words;
  };
  try {
    if (format.wordnet) {
      readWordnet(lines, format.expand, analyze, builder, (at) => {
        line = at;
      });
    } else {
      for (const text of lines) {
        line++;
        readSolrLine(text, format.expand, analyze, builder);
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof ElasticsearchError)) throw thrown;
    const nested =
      thrown.exception === 'IllegalArgumentException'
        ? new ElasticsearchError('ParseException', `Invalid synonym rule at line ${line}`, { nested: thrown })
        : thrown;
    throw illegalArgument('failed to build synonyms', nested);
  }
  return builder.entries();
}

function readSolrLine(
  line: string,
  expand: boolean,
  analyze: (text: string) => Phrase,
  builder: Builder,
): void {
  if (line === '' || line.startsWith('#')) return;
  const phrases = (side: string) => splitAt(side, ',').map((text) => analyze(trim(unescaped(text))));
  const sides = splitAt(line, '=>');
  if (sides.length > 2) {
    throw javaIllegalArgument('more than one explicit mapping specified on the same line');
  }
  if (sides.length < 2) {
    builder.addEquivalent(phrases(line), expand);
    return;
  }
  const [inputs, outputs] = sides.map(phrases) as [Phrase[], Phrase[]];
  builder.addAll(inputs, outputs);
}

/** Parts between separators that are not escaped; empty ones are left out. */
function splitAt(text: string, separator: string): string[] {
  if (!text.includes('\\')) return text.split(separator).filter((part) => part !== '');
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < text.length; ) {
    if (text.startsWith(separator, at)) {
      if (part !== '') parts.push(part);
      part = '';
      at += separator.length;
      continue;
    }
    const escaped = text[at] === '\\' && at + 1 < text.length;
    part += text.slice(at, escaped ? at + 2 : at + 1);
    at += escaped ? 2 : 1;
  }
  if (part !== '') parts.push(part);
  return parts;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}

/** Java's `String.trim`. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start]! <= ' ') start++;
  while (end > start && text[end - 1]! <= ' ') end--;
  return text.slice(start, end);
}

/** Lines such as `s(100000001,1,'abstain',v,1,0).`; those of one number after the other are equivalent. */
function readWordnet(
  lines: readonly string[],
  expand: boolean,
  analyze: (text: string) => Phrase,
  builder: Builder,
  at: (line: number) => void,
): void {
  let lastSet = '';
  let phrases: Phrase[] = [];
  const flush = () => {
    if (phrases.length > 1) builder.addEquivalent(phrases, expand);
    phrases = [];
  };
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  for (let i = 0; i < count; i++) {
    at(i + 1);
    const line = lines[i]!;
    if (line.length < 11) throw outOfRange(11);
    const set = line.slice(2, 11);
    if (set !== lastSet) flush();
    const start = line.indexOf("'") + 1;
    const end = line.lastIndexOf("'");
    if (end < start) throw outOfRange(end - start);
    phrases.push(analyze(line.slice(start, end).replaceAll("''", "'")));
    lastSet = set;
  }
  flush();
}

function outOfRange(index: number): ElasticsearchError {
  return new ElasticsearchError('StringIndexOutOfBoundsException', `String index out of range: ${index}`);
}
