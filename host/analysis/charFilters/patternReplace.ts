import { ElasticsearchError, illegalArgument } from '../../errors.js';
import { compileRegex } from '../../regex/regex.js';
import { Replacement } from '../../regex/replacement.js';
import type { HostCharFilter } from '../part.js';
import type { DefinitionSettings } from '../settings.js';

/** The char filter `pattern_replace`: `pattern`, `replacement`. */
export function patternReplaceCharFilter(settings: DefinitionSettings): HostCharFilter {
  const text = settings.text('pattern', '');
  if (text === '') {
    throw illegalArgument(`pattern is missing for [${settings.name}] char filter of type 'pattern_replace'`);
  }
  const pattern = compileRegex(text);
  let replacement: Replacement;
  try {
    replacement = new Replacement(settings.text('replacement', ''), pattern);
  } catch (error) {
    if (!(error instanceof ElasticsearchError)) throw error;
    // Java reads the replacement when there is something to replace.
    return {
      filterText() {
        throw error;
      },
    };
  }
  return {
    stepsOfCharacter: pattern.stepsOf('a'),
    *filterText(input) {
      const corrections = new OffsetCorrections();
      let out = '';
      let from = 0;
      let surplus = 0;
      for (const piece of replacement.pieces(input)) {
        if (piece === undefined) {
          yield;
          continue;
        }
        const { start, end, text: replaced } = piece;
        out += input.slice(from, start);
        from = end;
        const matched = end - start;
        if (replaced.length < matched) {
          surplus += matched - replaced.length;
          corrections.add(out.length + replaced.length, surplus);
        }
        // What is more than was matched leads back to its end.
        for (let i = matched; i < replaced.length; i++) corrections.add(out.length + i, --surplus);
        out += replaced;
      }
      return { text: out + input.slice(from), correct: (offset) => Math.max(corrections.correct(offset), 0) };
    },
  };
}

/** From which offsets on in a filtered text how much is to be added for those of the text before. */
class OffsetCorrections {
  readonly #offsets: number[] = [];
  readonly #differences: number[] = [];

  /** Offsets ascend; one that comes again replaces the last. */
  add(offset: number, difference: number): void {
    if (this.#offsets.at(-1) === offset) {
      this.#differences[this.#differences.length - 1] = difference;
      return;
    }
    this.#offsets.push(offset);
    this.#differences.push(difference);
  }

  correct(offset: number): number {
    let low = 0;
    let high = this.#offsets.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#offsets[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? offset : offset + this.#differences[low - 1]!;
  }
}
