/** A chain of char filters, a tokenizer and token filters, from a list of all that exist, with their settings. */

import { useSignal } from '@preact/signals';
import { isObject, type JsonObject, parseJson, writeJson } from '../../api/json';
import { Icon } from '../../components/Icon';
import { type Chain, type ChainPart, partsOf, withParts } from './analysisState';
import type { Definitions } from './chainSettings';
import { PART_KINDS, PART_TYPES, type PartKind } from './partTypes';

interface ChainBuilderProps {
  chain: Chain;
  /** Of the index: its own parts are offered too. */
  definitions: Definitions;
  onChange: (chain: Chain) => void;
}

export function ChainBuilder({ chain, definitions, onChange }: ChainBuilderProps) {
  return (
    <div class="chain">
      {PART_KINDS.map(({ kind, title, more }) => {
        const parts = partsOf(chain, kind);
        const set = (next: readonly ChainPart[]) => onChange(withParts(chain, kind, next));
        const isOne = kind === 'tokenizer';
        return (
          <fieldset key={kind}>
            <legend>{title}</legend>
            <ol>
              {parts.map((part, i) => (
                <Part
                  key={`${i}-${nameOf(part)}`}
                  part={part}
                  isFirst={i === 0}
                  isLast={i === parts.length - 1}
                  isOnly={isOne}
                  onChange={(next) => set(parts.map((each, j) => (i === j ? next : each)))}
                  onRemove={() => set(parts.filter((_, j) => i !== j))}
                  onMove={(step) => set(moved(parts, i, step))}
                />
              ))}
            </ol>
            <PartChoice
              label={more}
              kind={kind}
              own={Object.keys(definitions[kind] ?? {})}
              chosen={isOne ? nameOf(parts[0]!) : ''}
              onChoose={(part) => set(isOne ? [part] : [...parts, part])}
            />
          </fieldset>
        );
      })}
    </div>
  );
}

interface PartChoiceProps {
  label: string;
  kind: PartKind;
  /** Names that the index defines. */
  own: readonly string[];
  chosen: string;
  onChoose: (part: ChainPart) => void;
}

function PartChoice({ label, kind, own, chosen, onChoose }: PartChoiceProps) {
  const types = PART_TYPES[kind];
  return (
    <label class="picker">
      <span class={kind === 'tokenizer' ? 'hidden' : ''}>{label}</span>
      <select
        value={chosen}
        onChange={(event) => {
          const name = event.currentTarget.value;
          const template = own.includes(name) ? undefined : types[name];
          const needsSettings = template !== undefined && Object.keys(template).length > 0;
          onChoose(needsSettings ? { type: name, ...template } : name);
          event.currentTarget.value = chosen;
        }}
      >
        {kind !== 'tokenizer' && <option value="">choose</option>}
        {own.length > 0 && (
          <optgroup label="Of this index">
            {own.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label="Built in">
          {Object.keys(types).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}

interface PartProps {
  part: ChainPart;
  isFirst: boolean;
  isLast: boolean;
  /** A tokenizer: it is neither moved nor removed. */
  isOnly: boolean;
  onChange: (part: ChainPart) => void;
  onRemove: () => void;
  onMove: (step: 1 | -1) => void;
}

function Part({ part, isFirst, isLast, isOnly, onChange, onRemove, onMove }: PartProps) {
  const name = nameOf(part);
  if (isOnly && typeof part === 'string') return null;
  return (
    <li class="part">
      <div class="part-head">
        <b>{name}</b>
        {!isOnly && (
          <span class="actions">
            <button
              type="button"
              class="icon"
              disabled={isFirst}
              aria-label={`${name} earlier`}
              onClick={() => onMove(-1)}
            >
              ↑
            </button>
            <button
              type="button"
              class="icon"
              disabled={isLast}
              aria-label={`${name} later`}
              onClick={() => onMove(1)}
            >
              ↓
            </button>
            <button type="button" class="icon" aria-label={`Remove ${name}`} onClick={onRemove}>
              <Icon name="close" />
            </button>
          </span>
        )}
      </div>
      {typeof part !== 'string' && <Settings name={name} part={part} onChange={onChange} />}
    </li>
  );
}

/** The settings of a part as JSON; what is none stays here and is said. */
function Settings({
  name,
  part,
  onChange,
}: {
  name: string;
  part: JsonObject;
  onChange: (part: JsonObject) => void;
}) {
  const { type, ...settings } = part;
  const text = useSignal(writeJson(settings, 1));
  const problem = useSignal('');
  return (
    <>
      <textarea
        rows={Math.min(8, text.value.split('\n').length)}
        spellcheck={false}
        aria-label={`Settings of ${name} as JSON`}
        aria-invalid={problem.value !== ''}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          try {
            const json = parseJson(text.value);
            if (!isObject(json)) throw new SyntaxError('Settings are an object: {"name": "value"}');
            problem.value = '';
            onChange({ type, ...json });
          } catch (error) {
            problem.value = (error as Error).message;
          }
        }}
      />
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
    </>
  );
}

function nameOf(part: ChainPart): string {
  return typeof part === 'string' ? part : String(part.type ?? '');
}

function moved(parts: readonly ChainPart[], at: number, step: 1 | -1): ChainPart[] {
  const next = [...parts];
  const [part] = next.splice(at, 1);
  next.splice(at + step, 0, part!);
  return next;
}
