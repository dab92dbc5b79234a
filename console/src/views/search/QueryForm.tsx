/** What is searched for: words with fields and boosts, or a body as JSON. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isObject, parseJson, writeJson } from '../../api/json';
import type { MappedField } from '../../api/mappingFields';
import { Tabs } from '../../components/Tabs';
import { indented } from '../../dsl/indented';
import { FieldChooser } from './FieldChooser';
import { LazyBodyEditor } from './LazyBodyEditor';
import { searchBody } from './searchBody';
import { QUERY_KINDS, type QueryKind, type SearchState } from './searchState';

/** Milliseconds after a key until it is searched. */
const TYPING_MS = 150;
const JSON_TYPING_MS = 500;

interface QueryFormProps {
  /** Which query it is, for those who hear the page. */
  label: string;
  /** Where it is searched; empty for all. */
  index: string;
  state: SearchState;
  fields: readonly MappedField[];
  onChange: (state: SearchState) => void;
}

export function QueryForm({ label, index, state, fields, onChange }: QueryFormProps) {
  // Other words are another list of hits: it is looked at from its beginning.
  const change = (part: Partial<SearchState>) => onChange({ ...state, from: 0, ...part });
  const choose = (mode: SearchState['mode']) =>
    change(
      mode === 'json' && state.json === ''
        ? { mode, json: writeJson(searchBody({ ...state, filters: [], sort: '' }), 2) }
        : { mode },
    );
  return (
    <Tabs
      label={label}
      selected={state.mode}
      onSelect={choose}
      tabs={[
        { name: 'words', title: 'Words' },
        { name: 'json', title: 'JSON' },
      ]}
    >
      {state.mode === 'words' ? (
        <div class="words">
          <WordsInput label={label} words={state.words} onWords={(words) => change({ words })} />
          <label class="picker">
            as
            <select
              value={state.kind}
              onChange={(event) => change({ kind: event.currentTarget.value as QueryKind })}
            >
              {QUERY_KINDS.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <FieldChooser
            fields={fields}
            chosen={state.fields}
            onChange={(chosen) => change({ fields: chosen })}
          />
        </div>
      ) : (
        <JsonInput label={label} index={index} json={state.json} onJson={(json) => change({ json })} />
      )}
    </Tabs>
  );
}

interface WordsInputProps {
  label: string;
  words: string;
  onWords: (words: string) => void;
}

/** Searches while one types, with Enter at once. */
function WordsInput({ label, words, onWords }: WordsInputProps) {
  const typed = useTyped(words, onWords, TYPING_MS);
  return (
    <input
      class="search-box"
      type="search"
      aria-label={`${label}: words`}
      placeholder="Words to search for; empty finds all"
      value={typed.value}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => typed.type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') typed.send(event.currentTarget.value);
      }}
    />
  );
}

interface JsonInputProps {
  label: string;
  index: string;
  json: string;
  onJson: (json: string) => void;
}

function JsonInput({ label, index, json, onJson }: JsonInputProps) {
  // What is being typed is no JSON yet: the editor marks where. Asked to run, it is said.
  const typed = useTyped(json, onJson, JSON_TYPING_MS, isJson);
  return (
    <div class="json-input">
      <LazyBodyEditor
        index={index}
        label={`${label}: body of the search as JSON`}
        value={typed.value}
        onChange={typed.type}
        onRun={() => typed.send(typed.value)}
      />
      <div class="actions">
        <button type="button" class="small" onClick={() => typed.send(typed.value)}>
          Search
        </button>
        <button type="button" class="quiet small" onClick={() => typed.send(indented(typed.value))}>
          Format
        </button>
      </div>
    </div>
  );
}

function isJson(text: string): boolean {
  try {
    return text.trim() === '' || isObject(parseJson(text));
  } catch {
    return false;
  }
}

/** A text that is handed on when nothing was typed for a while. */
function useTyped(
  known: string,
  onSend: (text: string) => void,
  ms: number,
  isReady: (text: string) => boolean = () => true,
) {
  const text = useSignal(known);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(onSend);
  latest.current = onSend;
  const handed = useRef(known);
  const send = (value: string) => {
    clearTimeout(timer.current);
    text.value = value;
    handed.current = value;
    latest.current(value);
  };
  useEffect(() => {
    // A link, or the browser's buttons: not what was typed here.
    if (known !== handed.current) {
      clearTimeout(timer.current);
      handed.current = known;
      text.value = known;
    }
  }, [known]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    value: text.value,
    send,
    type: (value: string) => {
      if (value === text.peek()) return;
      text.value = value;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        if (isReady(value)) send(value);
      }, ms);
    },
  };
}
