/** An import, step by step: the file, how it is read, the mapping, and how far it is. */
import { useEffect } from 'preact/hooks';
import { useClient } from '../../app/context';
import { selectedIndex } from '../../app/location';
import { RequestLine } from '../../components/ActionDialog';
import { ErrorBox } from '../../components/ErrorBox';
import { formatBytes, formatCount } from '../../components/formats';
import { JsonTree } from '../../components/JsonTree';
import { Panel } from '../../components/Panel';
import { Spinner } from '../../components/Spinner';
import { useDraft } from '../../components/useDraft';
import { DropZone } from './DropZone';
import { ImportProgress } from './ImportProgress';
import * as state from './importState';
import { MappingTable } from './MappingTable';
import { ENCODINGS, type Encoding } from './reading/fileText';
import { FORMAT_TITLES, FORMATS, type Format } from './reading/format';

/** Documents that are shown as they were read. */
const SHOWN = 3;

export function ImportPanel() {
  const client = useClient();
  const { value: file } = state.file;
  useEffect(() => {
    const ending = new AbortController();
    void state.askExisting(client, state.index.value, ending.signal);
    return () => ending.abort();
  }, [client, state.index.value, client.signedIn.value]);
  if (file === undefined) return <DropZone onFile={(chosen) => void state.choose(chosen)} />;
  const isRunning = state.running.value !== undefined;
  return (
    <div class="stack">
      <Panel
        title={file.name}
        actions={
          <>
            <span class="muted">{formatBytes(file.size)}</span>
            <button type="button" class="small" disabled={isRunning} onClick={state.forget}>
              Another file
            </button>
          </>
        }
      >
        <FileOptions isDisabled={isRunning} />
        {state.fileError.value !== undefined && (
          <ErrorBox error={state.fileError.value} title="The file can’t be read so" />
        )}
        {state.fileError.value === undefined && state.sample.value === undefined && (
          <Spinner label="Reading" />
        )}
        {state.sample.value !== undefined && <Preview />}
      </Panel>
      {state.proposal.value !== undefined && state.fields.value.length > 0 && (
        <Panel title="Mapping">
          <MappingTable isDisabled={isRunning} />
        </Panel>
      )}
      {state.sample.value !== undefined && state.fileError.value === undefined && (
        <Target isDisabled={isRunning} />
      )}
      <ImportProgress />
    </div>
  );
}

function FileOptions({ isDisabled }: { isDisabled: boolean }) {
  const isTable = state.format.value === 'csv' || state.format.value === 'tsv';
  const names = [...new Set(state.fields.value.map(({ path }) => path.join('.')))];
  const canHaveId = state.format.value !== 'bulk' && state.format.value !== 'hits';
  const again = () => void state.look();
  return (
    <div class="import-options">
      <label>
        Format
        <select
          value={state.format.value}
          disabled={isDisabled}
          onChange={(event) => {
            state.format.value = event.currentTarget.value as Format;
            again();
          }}
        >
          {FORMATS.map((name) => (
            <option key={name} value={name}>
              {FORMAT_TITLES[name]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Encoding
        <select
          value={state.encoding.value}
          disabled={isDisabled}
          onChange={(event) => {
            state.encoding.value = event.currentTarget.value as Encoding;
            void state.look(true);
          }}
        >
          {ENCODINGS.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {isTable && (
        <label>
          Between cells
          <select
            value={state.delimiter.value}
            disabled={isDisabled}
            onChange={(event) => {
              state.delimiter.value = event.currentTarget.value;
              again();
            }}
          >
            <option value="">{state.format.value === 'csv' ? 'comma' : 'tab'}</option>
            <option value=";">semicolon</option>
            <option value="|">bar</option>
            {state.format.value === 'csv' && <option value={'\t'}>tab</option>}
          </select>
        </label>
      )}
      {canHaveId && (
        <label>
          Ids from
          <select
            value={state.idField.value}
            disabled={isDisabled}
            onChange={(event) => {
              state.idField.value = event.currentTarget.value;
            }}
          >
            <option value="">made here</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {isTable && (
        <label class="check">
          <input
            type="checkbox"
            checked={state.isText.value}
            disabled={isDisabled}
            onChange={(event) => {
              state.isText.value = event.currentTarget.checked;
              again();
            }}
          />
          All cells are texts
        </label>
      )}
    </div>
  );
}

function Preview() {
  const { documents, refused } = state.sample.value!;
  return (
    <>
      <p class="muted">
        {documents.length === 0
          ? 'No document was found at its beginning.'
          : `Looked at the first ${formatCount(documents.length)} documents.`}
      </p>
      {refused.length > 0 && (
        <p class="problem">
          {formatCount(refused.length)} of the first lines can’t be documents:{' '}
          {refused.slice(0, 3).join('; ')}
        </p>
      )}
      <details>
        <summary>The first documents</summary>
        {documents.slice(0, SHOWN).map((document, i) => (
          <JsonTree key={i} value={document} />
        ))}
      </details>
    </>
  );
}

function Target({ isDisabled }: { isDisabled: boolean }) {
  const client = useClient();
  const made = state.preparing.value;
  const isBulk = state.format.value === 'bulk';
  const other = selectedIndex.value;
  const name = useDraft(state.index.value);
  const isReady = state.type.value !== '' && (state.index.value !== '' || isBulk);
  return (
    <Panel title="Into">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void state.start(client);
        }}
      >
        <div class="import-options">
          <label>
            Index
            <input
              value={name.value}
              disabled={isDisabled}
              required={!isBulk}
              placeholder={isBulk ? 'as the actions say' : ''}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => name.onInput(event.currentTarget.value)}
              onChange={(event) => {
                name.onChange();
                state.index.value = event.currentTarget.value.trim();
              }}
            />
          </label>
          <label>
            Type
            <input
              value={state.type.value}
              disabled={isDisabled}
              required
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => {
                state.type.value = event.currentTarget.value.trim();
              }}
            />
          </label>
          {state.existing.value === undefined && state.index.value !== '' && (
            <label>
              Shards
              <input
                type="number"
                min="1"
                value={state.shards.value}
                disabled={isDisabled}
                placeholder="as the server has it"
                onInput={(event) => {
                  state.shards.value = event.currentTarget.value;
                }}
              />
            </label>
          )}
          {other !== '' && other !== state.index.value && (
            <button
              type="button"
              class="quiet"
              disabled={isDisabled}
              onClick={() => {
                state.index.value = other;
              }}
            >
              Into {other} instead
            </button>
          )}
        </div>
        {state.index.value !== '' && (
          <p class="muted">
            {state.existing.value === undefined
              ? 'There is no such index yet: it is made with the mapping above.'
              : 'The index is there: its fields stay as they are, documents of the same id are replaced.'}
          </p>
        )}
        {made !== undefined && (
          <details>
            <summary>What is sent first</summary>
            <RequestLine method={made.method} path={made.path} body={made.body} />
          </details>
        )}
        <div class="actions">
          <button type="submit" class="primary" disabled={!isReady || isDisabled}>
            Import
          </button>
        </div>
      </form>
    </Panel>
  );
}
