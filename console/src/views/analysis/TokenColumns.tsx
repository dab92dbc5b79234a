/** Tokens on an axis of positions: those of one position stand in one column. */
import { type Signal, useComputed, useSignal } from '@preact/signals';
import { formatCount } from '../../components/formats';
import type { ChangedToken } from './stages';

/** A part of the text. */
export interface Span {
  start: number;
  end: number;
}

/** Columns that are shown at once. */
const SHOWN = 150;

interface TokenColumnsProps {
  label: string;
  tokens: readonly ChangedToken[];
  /** What of the text is pointed at. */
  pointed: Signal<Span | undefined>;
}

export function TokenColumns({ label, tokens, pointed }: TokenColumnsProps) {
  const shown = useSignal(SHOWN);
  const columns = columnsOf(tokens);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined || !(event.currentTarget instanceof HTMLElement)) return;
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button.token')];
    const next = all[all.indexOf(document.activeElement as HTMLElement) + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  if (tokens.length === 0) return <p class="muted">No tokens.</p>;
  return (
    <>
      {/* The arrow keys go from token to token: each would be a stop of Tab otherwise. */}
      <ol class="positions" aria-label={label} onKeyDown={move}>
        {columns.slice(0, shown.value).map(([position, list], column) => (
          <li key={position}>
            <span class="position" aria-hidden="true">
              {position}
            </span>
            {list.map((token, i) => (
              <TokenButton
                key={`${token.kind}-${token.term}-${token.start}-${i}`}
                token={token}
                pointed={pointed}
                isFirst={column === 0 && i === 0}
              />
            ))}
          </li>
        ))}
      </ol>
      {columns.length > shown.value && (
        <button
          type="button"
          class="quiet small"
          onClick={() => {
            shown.value += 4 * SHOWN;
          }}
        >
          Show more of {formatCount(columns.length)} positions
        </button>
      )}
    </>
  );
}

interface TokenButtonProps {
  token: ChangedToken;
  pointed: Signal<Span | undefined>;
  isFirst: boolean;
}

function TokenButton({ token, pointed, isFirst }: TokenButtonProps) {
  const { term, start, end, kind, before, isKeyword } = token;
  // Drawn anew by itself when it changes for this token alone.
  const isPointed = useComputed(() => {
    const { value } = pointed;
    return value !== undefined && value.start < end && start < value.end;
  }).value;
  const point = () => {
    pointed.value = { start, end };
  };
  const leave = () => {
    pointed.value = undefined;
  };
  const facts = [
    `position ${token.position}`,
    `characters ${start} to ${end}`,
    ...(kind === 'changed' ? [`was ${before}`] : kind === 'same' ? [] : [kind]),
    ...(isKeyword ? ['kept from stemmers'] : []),
    token.type,
  ];
  return (
    <button
      type="button"
      class={`token ${kind} ${isPointed ? 'pointed' : ''}`}
      tabIndex={isFirst ? 0 : -1}
      title={facts.join(', ')}
      onMouseEnter={point}
      onMouseLeave={leave}
      onFocus={point}
      onBlur={leave}
    >
      <bdi>{term === '' ? '(empty)' : term}</bdi>
      {isKeyword && <span aria-hidden="true">⚓</span>}
      <span class="hidden"> {facts.join(', ')}</span>
    </button>
  );
}

function columnsOf(tokens: readonly ChangedToken[]): [number, ChangedToken[]][] {
  const found = new Map<number, ChangedToken[]>();
  for (const token of tokens) {
    const known = found.get(token.position);
    if (known === undefined) found.set(token.position, [token]);
    else known.push(token);
  }
  return [...found].sort(([a], [b]) => a - b);
}
