/** Adds a field to a type, or another form to a field, and shows the request that does it. */
import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { isObject, type JsonObject } from '../../api/json';
import { ActionDialog } from '../../components/ActionDialog';
import { type DslTables, loadTables } from '../../dsl/tables';
import type { FieldNode } from './mappingTree';
import { addingBody, existing, isForm, NOT_ANALYZED } from './newField';

interface FieldDialogProps {
  index: string;
  type: string | undefined;
  /** Filled in at first. */
  path: string;
  nodes: readonly FieldNode[];
  /** Of the type. */
  mapping: JsonObject;
  settings: JsonObject;
  onClose: () => void;
  onDone: () => void;
}

export function FieldDialog({
  index,
  type,
  path,
  nodes,
  mapping,
  settings,
  onClose,
  onDone,
}: FieldDialogProps) {
  const typeName = useSignal(type ?? '');
  const name = useSignal(path);
  const fieldType = useSignal('string');
  const analyzer = useSignal(path === '' ? '' : NOT_ANALYZED);
  const more = useSignal('');
  const tables = useSignal<DslTables | undefined>(undefined);
  const analyzers = useId();
  useEffect(() => {
    void loadTables().then((loaded) => {
      tables.value = loaded;
    });
  }, []);
  const known = existing(name.value, nodes);
  const written = bodyOr(() =>
    addingBody(
      typeName.value,
      { path: name.value, type: fieldType.value, analyzer: analyzer.value, more: more.value },
      nodes,
      mapping,
    ),
  );
  const own =
    isObject(settings.analysis) && isObject(settings.analysis.analyzer) ? settings.analysis.analyzer : {};
  const problem =
    written.error ??
    (typeName.value === ''
      ? 'The type of documents has no name yet.'
      : /[^.]$/.test(name.value)
        ? undefined
        : 'The field has no name yet.');
  return (
    <ActionDialog
      action={{
        title: 'Add field',
        method: 'PUT',
        path: `/${encodeURIComponent(index)}/_mapping/${encodeURIComponent(typeName.value)}`,
        body: written.body ?? {},
        done: `${name.value} is added`,
        ...(known === undefined
          ? {}
          : {
              warning: `${known.path} is there already, as ${known.type}. Of a field that is there only a few things can be changed; its type and how it is indexed stay. For those, make an index with the new mapping and copy the documents into it.`,
            }),
      }}
      problem={problem}
      onClose={onClose}
      onDone={onDone}
    >
      {type === undefined && (
        <label>
          Type of documents
          <input
            value={typeName.value}
            autocomplete="off"
            onInput={(event) => {
              typeName.value = event.currentTarget.value;
            }}
          />
        </label>
      )}
      <label>
        Name, with dots within objects
        <input
          value={name.value}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => {
            name.value = event.currentTarget.value.trim();
          }}
        />
      </label>
      {isForm(name.value, nodes) && (
        <p class="muted">
          Another form of the same value. Documents that are there get it when they are written again.
        </p>
      )}
      <label>
        Type
        <select
          value={fieldType.value}
          onChange={(event) => {
            fieldType.value = event.currentTarget.value;
          }}
        >
          {(tables.value?.fieldTypes ?? ['string'])
            .filter((each) => each !== 'multi_field')
            .map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
        </select>
      </label>
      {fieldType.value === 'string' && (
        <label>
          Analyzer
          <input
            list={analyzers}
            value={analyzer.value}
            placeholder="that of the index"
            spellcheck={false}
            onInput={(event) => {
              analyzer.value = event.currentTarget.value;
            }}
          />
          <datalist id={analyzers}>
            {[NOT_ANALYZED, ...Object.keys(own), ...(tables.value?.analyzers ?? [])].map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </label>
      )}
      <label>
        More parameters, as JSON
        <textarea
          rows={2}
          value={more.value}
          placeholder={'{"doc_values": true}'}
          spellcheck={false}
          onInput={(event) => {
            more.value = event.currentTarget.value;
          }}
        />
      </label>
    </ActionDialog>
  );
}

function bodyOr(make: () => JsonObject): { body?: JsonObject; error?: string } {
  try {
    return { body: make() };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
