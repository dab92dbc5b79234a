/** JSON that folds. Long lists are shown piece by piece. */
import { useSignal } from '@preact/signals';
import { isObject, type Json, LosslessNumber } from '../api/json';

interface JsonTreeProps {
  value: Json | undefined;
  /** Levels that are open at first. */
  depth?: number;
  /** Its name in what it stands in. */
  name?: string | undefined;
}

/** Values of a list or an object that are shown at once. */
const PIECE = 100;

export function JsonTree({ value, depth = 2, name }: JsonTreeProps) {
  return (
    <div class="json">
      <Node value={value ?? null} depth={depth} name={name} />
    </div>
  );
}

function Node({ value, depth, name }: { value: Json; depth: number; name?: string | undefined }) {
  const isOpen = useSignal(depth > 0);
  const shown = useSignal(PIECE);
  const label = name === undefined ? null : <span class="json-name">{name}: </span>;
  if (!Array.isArray(value) && !isObject(value)) {
    return (
      <div class="json-line">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  const isList = Array.isArray(value);
  const entries: [string, Json | undefined][] = isList
    ? value.map((each, i) => [String(i), each])
    : Object.entries(value);
  const count = entries.length === 1 ? '1 value' : `${entries.length} values`;
  return (
    <details
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>
        {label}
        <span class="muted">{isList ? `[ ${count} ]` : `{ ${count} }`}</span>
      </summary>
      {isOpen.value && (
        <div class="json-inner">
          {entries.slice(0, shown.value).map(([key, inner]) => (
            <Node key={key} value={inner ?? null} depth={depth - 1} name={key} />
          ))}
          {entries.length > shown.value && (
            <button
              type="button"
              class="quiet small"
              onClick={() => {
                shown.value += 10 * PIECE;
              }}
            >
              Show more of {entries.length}
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Leaf({ value }: { value: null | boolean | string | number | LosslessNumber }) {
  if (typeof value === 'string') return <span class="json-string">{JSON.stringify(value)}</span>;
  if (value instanceof LosslessNumber) return <span class="json-number">{value.value}</span>;
  return <span class={typeof value === 'number' ? 'json-number' : 'json-word'}>{String(value)}</span>;
}
