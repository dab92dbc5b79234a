/** The text with what its tokens stand for, and what is pointed at, marked. */
import type { Signal } from '@preact/signals';
import type { Token } from './stages';
import type { Span } from './TokenColumns';

interface OffsetTextProps {
  text: string;
  tokens: readonly Token[];
  pointed: Signal<Span | undefined>;
}

export function OffsetText({ text, tokens, pointed }: OffsetTextProps) {
  const spans = spansOf(tokens);
  const { value } = pointed;
  const cuts = new Set([0, text.length, ...spans.flatMap(({ start, end }) => [start, end])]);
  if (value !== undefined) cuts.add(value.start).add(value.end);
  const places = [...cuts].filter((at) => at <= text.length).sort((a, b) => a - b);
  let next = 0;
  return (
    <p class="offset-text" dir="auto">
      {places.slice(0, -1).map((start, i) => {
        const end = places[i + 1]!;
        while (next < spans.length && spans[next]!.end <= start) next++;
        const span = (spans[next]?.start ?? end) <= start ? spans[next] : undefined;
        const isPointed = value !== undefined && value.start <= start && end <= value.end;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: tokens do the same for those who use a keyboard
          <span
            key={start}
            class={`${span === undefined ? '' : 'in-token'} ${isPointed ? 'pointed' : ''}`}
            onMouseEnter={() => {
              pointed.value = span;
            }}
            onMouseLeave={() => {
              pointed.value = undefined;
            }}
          >
            {text.slice(start, end)}
          </span>
        );
      })}
    </p>
  );
}

/** Places of tokens that don't overlap, in their order. */
function spansOf(tokens: readonly Token[]): Span[] {
  const found: Span[] = [];
  for (const { start, end } of [...tokens].sort((a, b) => a.start - b.start || a.end - b.end))
    if (start >= (found.at(-1)?.end ?? 0) && end > start) found.push({ start, end });
  return found;
}
