/** A document: read, edited with its version checked, created, deleted. */
import { useSignal } from '@preact/signals';
import { type Answer, asCurl, RequestError } from '../../api/client';
import { isObject } from '../../api/json';
import { useClient } from '../../app/context';
import { tellDone } from '../../app/Toasts';
import { ActionDialog, RequestLine } from '../../components/ActionDialog';
import { CopyButton } from '../../components/CopyButton';
import { Dialog } from '../../components/Dialog';
import { ErrorBox } from '../../components/ErrorBox';
import { JsonTree } from '../../components/JsonTree';
import { Spinner } from '../../components/Spinner';
import { Tabs } from '../../components/Tabs';
import { useAnswer } from '../../components/useAnswer';
import { indented } from '../../dsl/indented';
import { DocumentEditor } from './DocumentEditor';
import {
  type DocumentPlace,
  documentPath,
  readDocument,
  type StoredDocument,
  withParameters,
} from './documentAnswer';

interface DocumentDialogProps {
  place: DocumentPlace;
  isNew?: boolean;
  onClose: () => void;
  /** It was written or deleted. */
  onChanged: () => void;
}

const META = '_source,_routing,_parent,_timestamp,_ttl';

export function DocumentDialog({ place, isNew = false, onClose, onChanged }: DocumentDialogProps) {
  const client = useClient();
  const read = async (signal?: AbortSignal): Promise<StoredDocument> => {
    const path = withParameters(documentPath(place), { routing: place.routing, fields: META });
    const answer = await client.send('GET', path, undefined, { signal, quiet: true });
    const document = readDocument(answer.json, answer.text);
    if (document === undefined) throw new RequestError(answer, `GET ${path}`);
    return document;
  };
  const answered = useAnswer(
    async (signal) => (isNew ? undefined : read(signal)),
    [client, place.index, place.type, place.id, place.routing, isNew],
  );
  const form = useSignal<'tree' | 'text' | 'edit'>('tree');
  const deletes = useSignal(false);
  const { value, error, reload } = answered.value;
  if (isNew)
    return (
      <Dialog title="New document" onClose={onClose} isWide>
        <NewDocument place={place} onDone={onChanged} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={place.id} onClose={onClose} isWide>
      {error !== undefined ? (
        <ErrorBox error={error} />
      ) : value === undefined ? (
        <Spinner label="Reading" />
      ) : (
        <div class="document">
          <Facts document={value} />
          <div class="actions">
            <CopyButton label="curl" text={() => curlOf(client.transport.address, value, place)} />
            <CopyButton label="Source" text={() => value.sourceText} />
            <button
              type="button"
              class="danger small"
              onClick={() => {
                deletes.value = true;
              }}
            >
              Delete
            </button>
          </div>
          <Tabs
            label="How the document is shown"
            tabs={[
              { name: 'tree', title: 'Tree' },
              { name: 'text', title: 'JSON' },
              { name: 'edit', title: 'Edit' },
            ]}
            selected={form.value}
            onSelect={(name) => {
              form.value = name;
            }}
          >
            {form.value === 'tree' && <JsonTree value={value.source} depth={4} />}
            {form.value === 'text' && (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by arrow keys
              <pre tabIndex={0}>{indented(value.sourceText)}</pre>
            )}
            {form.value === 'edit' && (
              <DocumentEditor
                document={value}
                routing={place.routing}
                read={() => read()}
                onDone={() => {
                  form.value = 'tree';
                  reload();
                  onChanged();
                }}
              />
            )}
          </Tabs>
        </div>
      )}
      {deletes.value && value !== undefined && (
        <ActionDialog
          action={{
            title: 'Delete document',
            method: 'DELETE',
            path: withParameters(documentPath(value), {
              routing: place.routing,
              version: value.version,
              refresh: 'true',
            }),
            done: `${value.id} is deleted`,
            warning:
              'It can’t be brought back. It is only deleted if nobody has changed it since it was read.',
          }}
          onClose={() => {
            deletes.value = false;
          }}
          onDone={() => {
            onChanged();
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}

const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** What is kept beside the source. */
function Facts({ document }: { document: StoredDocument }) {
  const { index, type, id, version, routing, parent, timestamp, ttl } = document;
  const facts: [string, string | undefined][] = [
    ['Index', index],
    ['Type', type],
    ['Id', id],
    ['Version', version],
    ['Routing', routing],
    ['Parent', parent],
    ['Timestamp', timestamp === undefined ? undefined : `${date.format(Number(timestamp))} (${timestamp})`],
    ['Time to live', ttl === undefined ? undefined : `${ttl} ms`],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function NewDocument({
  place,
  onDone,
  onClose,
}: {
  place: DocumentPlace;
  onDone: () => void;
  onClose: () => void;
}) {
  const client = useClient();
  const type = useSignal(place.type);
  const id = useSignal('');
  const routing = useSignal('');
  const parent = useSignal('');
  const text = useSignal('{\n  \n}');
  const error = useSignal<unknown>(undefined);
  const base = `/${encodeURIComponent(place.index)}/${encodeURIComponent(type.value)}`;
  const method = id.value === '' ? 'POST' : 'PUT';
  const path = withParameters(id.value === '' ? base : `${base}/${encodeURIComponent(id.value)}`, {
    // One that is there already is left as it is.
    op_type: id.value === '' ? undefined : 'create',
    routing: routing.value,
    parent: parent.value,
    refresh: 'true',
  });
  const send = async () => {
    error.value = undefined;
    try {
      const answer: Answer = await client.send(method, path, text.value);
      if (answer.status >= 400) throw new RequestError(answer, `${method} ${path}`);
      tellDone(`${isObject(answer.json) ? String(answer.json._id) : 'It'} is stored`);
      onDone();
      onClose();
    } catch (e) {
      error.value = e;
    }
  };
  const field = (label: string, value: typeof id, hint = '') => (
    <label>
      {label}
      <input
        value={value.value}
        placeholder={hint}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
    </label>
  );
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="grid">
        {field('Type', type)}
        {field('Id', id, 'made by the server')}
        {field('Routing', routing, 'none')}
        {field('Parent', parent, 'none')}
      </div>
      <DocumentEditor.Source
        value={text.value}
        onChange={(value) => {
          text.value = value;
        }}
        onRun={() => void send()}
      />
      <RequestLine method={method} path={path} />
      {error.value !== undefined && <ErrorBox error={error.value} />}
      <div class="actions">
        <button type="button" class="quiet" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" class="primary" disabled={type.value === ''}>
          Store
        </button>
      </div>
    </form>
  );
}

function curlOf(address: string, document: StoredDocument, { routing }: DocumentPlace): string {
  return asCurl(address, {
    method: 'PUT',
    path: withParameters(documentPath(document), { routing }),
    body: document.sourceText,
  });
}
