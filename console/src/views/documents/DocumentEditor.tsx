/** The source of a document, edited. It is written only if nobody has written it since it was read; else both are shown. */
import { useSignal } from '@preact/signals';
import { RequestError } from '../../api/client';
import { useClient } from '../../app/context';
import { tellDone } from '../../app/Toasts';
import { RequestLine } from '../../components/ActionDialog';
import { ErrorBox } from '../../components/ErrorBox';
import { indented } from '../../dsl/indented';
import { JsonEditor } from '../../editor/JsonEditor';
import { documentPath, type StoredDocument, withParameters } from './documentAnswer';

interface DocumentEditorProps {
  document: StoredDocument;
  routing: string;
  /** Reads it again. */
  read: () => Promise<StoredDocument>;
  onDone: () => void;
}

export function DocumentEditor({ document, routing, read, onDone }: DocumentEditorProps) {
  const client = useClient();
  const text = useSignal(indented(document.sourceText));
  const version = useSignal(document.version);
  const error = useSignal<unknown>(undefined);
  /** What somebody else has written meanwhile. */
  const other = useSignal<StoredDocument | undefined>(undefined);
  const { parent, timestamp, ttl } = document;
  const path = withParameters(documentPath(document), {
    version: version.value,
    routing: parent === undefined ? routing : '',
    parent,
    // What was kept beside the source stays as it is.
    timestamp,
    ttl,
    refresh: 'true',
  });
  const send = async () => {
    error.value = undefined;
    try {
      const answer = await client.send('PUT', path, text.value);
      if (answer.status >= 400) throw new RequestError(answer, `PUT ${path}`);
      tellDone(`${document.id} is stored`);
      onDone();
    } catch (e) {
      if (e instanceof RequestError && e.status === 409) {
        try {
          other.value = await read();
          return;
        } catch (unread) {
          error.value = unread;
          return;
        }
      }
      error.value = e;
    }
  };
  const newer = other.value;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class={newer === undefined ? '' : 'both'}>
        <div>
          {newer !== undefined && <h3>Yours</h3>}
          <DocumentEditor.Source
            value={text.value}
            onChange={(value) => {
              text.value = value;
            }}
            onRun={() => void send()}
          />
        </div>
        {newer !== undefined && (
          <div>
            <h3>Stored meanwhile, version {newer.version}</h3>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by arrow keys */}
            <pre tabIndex={0}>{indented(newer.sourceText)}</pre>
          </div>
        )}
      </div>
      {newer !== undefined && (
        <div class="error-box" role="alert">
          <b>Somebody else has changed it</b>
          <p>
            You read version {version.value}, the newest is {newer.version}. Take theirs and change it again,
            or put yours in its place.
          </p>
          <div class="actions">
            <button
              type="button"
              onClick={() => {
                text.value = indented(newer.sourceText);
                version.value = newer.version;
                other.value = undefined;
              }}
            >
              Take theirs
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => {
                version.value = newer.version;
                other.value = undefined;
              }}
            >
              Keep mine, over version {newer.version}
            </button>
          </div>
        </div>
      )}
      <RequestLine method="PUT" path={path} />
      {error.value !== undefined && <ErrorBox error={error.value} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={newer !== undefined}>
          Store
        </button>
      </div>
    </form>
  );
}

DocumentEditor.Source = function Source({
  value,
  onChange,
  onRun,
}: {
  value: string;
  onChange: (value: string) => void;
  onRun: () => void;
}) {
  return <JsonEditor label="Source of the document" value={value} onChange={onChange} onRun={onRun} />;
};
