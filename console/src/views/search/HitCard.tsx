/** A hit: where it ranks, its score, what of it was searched for, and its values. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Json } from '../../api/json';
import { Bar } from '../../components/Bar';
import { JsonTree } from '../../components/JsonTree';
import { MarkedText } from './MarkedText';
import { type Hit, textOf } from './searchAnswer';
import { type FlatValue, flatValues, titleOf } from './sourceValues';

/** Values that are shown at once. */
const SHOWN = 6;
const VALUE_CHARS = 140;

interface HitCardProps {
  hit: Hit;
  /** Of the hits that are shown. */
  bestScore: number;
  isSelected: boolean;
  hasShards: boolean;
  /** Fields whose values are shown; none: the first few. */
  shown: readonly string[];
  onSelect: () => void;
  /** Whether hits can be filtered by the values of a field. */
  canFilter: (field: string) => boolean;
  /** Asked to show hits with a value alone. */
  onFilter: (field: string, value: Json) => void;
  children?: ComponentChildren;
}

export function HitCard(props: HitCardProps) {
  const { hit, bestScore, isSelected, hasShards, shown, onSelect, children } = props;
  const isWhole = useSignal(false);
  const values = hit.source === undefined ? [] : flatValues(hit.source);
  const title = titleOf(values) ?? hit.id;
  const highlighted = new Set(hit.highlight.map(({ field }) => field));
  const rest =
    shown.length > 0
      ? shown.flatMap((name) => values.find(({ field }) => field === name) ?? [])
      : values
          .filter(
            ({ field, values: each }) => !highlighted.has(field) && !(each.length === 1 && each[0] === title),
          )
          .slice(0, SHOWN);
  const share = hit.score === undefined || bestScore <= 0 ? 0 : Number(hit.score) / bestScore;
  return (
    <li class={`hit ${isSelected ? 'selected' : ''}`}>
      <button type="button" class="hit-head" aria-pressed={isSelected} onClick={onSelect}>
        <span class="hidden">Explain hit</span> <span class="rank">{hit.rank}</span>{' '}
        <span class="title">{title}</span>{' '}
        <span class="score">{hit.score ?? (hit.sort ?? []).map(textOf).join(', ')}</span>
      </button>
      {hit.score !== undefined && <Bar share={share} />}
      <p class="identity muted">
        <code>
          {hit.index}/{hit.type}/{hit.id}
        </code>
        {hasShards && hit.shard !== undefined && <span class="tag">shard {hit.shard}</span>}
        {hit.sort !== undefined && hit.score !== undefined && (
          <span>sorted by {hit.sort.map(textOf).join(', ')}</span>
        )}
      </p>
      {hit.highlight.map(({ field, fragments }) => (
        <p key={field} class="fragments">
          <span class="field">{field}</span>{' '}
          {fragments.map((fragment, i) => (
            <span key={`${i}-${fragment}`}>
              {i > 0 && ' … '}
              <MarkedText text={fragment} />
            </span>
          ))}
        </p>
      ))}
      <Values values={rest} {...props} />
      {hit.source !== undefined && (
        <details
          open={isWhole.value}
          onToggle={(event) => {
            isWhole.value = event.currentTarget.open;
          }}
        >
          <summary class="muted">Source</summary>
          {isWhole.value && <JsonTree value={hit.source} depth={3} />}
        </details>
      )}
      {children}
    </li>
  );
}

function Values({ values, canFilter, onFilter }: HitCardProps & { values: readonly FlatValue[] }) {
  if (values.length === 0) return null;
  return (
    <dl class="values">
      {values.map(({ field, values: each }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            {each.slice(0, SHOWN).map((value, i) => {
              const text = textOf(value);
              const shown = text.length > VALUE_CHARS ? `${text.slice(0, VALUE_CHARS)}…` : text;
              return canFilter(field) && text.length <= VALUE_CHARS ? (
                <button
                  key={`${i}-${text}`}
                  type="button"
                  class="value"
                  title={`Only hits with ${field} ${text}`}
                  onClick={() => onFilter(field, value)}
                >
                  {shown}
                </button>
              ) : (
                <span key={`${i}-${text}`}>{shown}</span>
              );
            })}
            {each.length > SHOWN && <span class="muted">and {each.length - SHOWN} more</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
