/** A text of any length, shown piece by piece. */
import { useSignal } from '@preact/signals';
import { formatBytes } from '../../components/formats';

const PIECE = 100_000;

export function LongText({ text }: { text: string }) {
  const shown = useSignal(PIECE);
  return (
    <>
      {/* A part of the page that scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by arrow keys */}
      <pre class="long-text" tabIndex={0}>
        {text.slice(0, shown.value)}
      </pre>
      {text.length > shown.value && (
        <button
          type="button"
          onClick={() => {
            shown.value += 5 * PIECE;
          }}
        >
          Show more of {formatBytes(text.length)}
        </button>
      )}
    </>
  );
}
