/** Requests as they are written and answered: several in one text, the one at the cursor is run. */
import type { EditorView } from '@codemirror/view';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useClient } from '../../app/context';
import { place, setParams } from '../../app/location';
import { RequestLine } from '../../components/ActionDialog';
import { Dialog } from '../../components/Dialog';
import { Icon } from '../../components/Icon';
import { ViewHeader } from '../../components/ViewHeader';
import { indented } from '../../dsl/indented';
import { CodeEditor } from '../../editor/CodeEditor';
import { AnswerPanel } from './AnswerPanel';
import { answerMark } from './bodyErrors';
import { CopyMenu } from './CopyMenu';
import { ExamplesPanel } from './ExamplesPanel';
import { HistoryPanel } from './HistoryPanel';
import { keepBuffer, keptBuffer } from './history';
import { requestAt, takesLines, type WrittenRequest, writeRequest } from './notation';
import { markAnswer, requestEditing } from './requestEditing';
import { requestLanguage, requestsField } from './requestLanguage';
import { type Requests, useRequests } from './useRequests';
import './requests.css';

const FIRST = `# Put the cursor into a request and press Ctrl-Enter.
GET /_cat/indices?v

GET /_search
{
  "query": {
    "match_all": {}
  }
}
`;

export default function RequestsView() {
  const client = useClient();
  const view = useRef<EditorView | undefined>(undefined);
  const answer = useRef<HTMLDivElement>(null);
  const text = useSignal(useMemo(firstText, []));
  const showsHistory = useSignal(false);
  const showsExamples = place.value.params.has('chapter');
  const requests = useRequests(({ written, body }, { status, json }) => {
    const editor = view.current;
    if (editor === undefined || written === undefined || status < 400) return;
    const error = (json as { error?: unknown } | undefined)?.error;
    // The text may have changed meanwhile: the request is looked for.
    const now = editor.state.field(requestsField).find((each) => each.from === written.from);
    const mark =
      typeof error === 'string' && now?.body === written.body
        ? answerMark(now, body ?? '', error)
        : undefined;
    if (mark !== undefined) markAnswer(editor, mark);
  });
  const run = useRef(requests.run);
  run.current = requests.run;
  const extensions = useMemo(
    () => [requestLanguage((request) => run.current(request)), requestEditing(client)],
    [client],
  );
  // It stands in the editor now: a reload must not bring it again.
  useEffect(() => setParams({ load: undefined }), []);
  useEffect(() => {
    const timer = setTimeout(() => keepBuffer(text.value), 300);
    return () => clearTimeout(timer);
  }, [text.value]);
  const current = (): WrittenRequest | undefined => {
    const state = view.current?.state;
    return state && requestAt(state.field(requestsField), state.selection.main.head);
  };
  const runCurrent = () => {
    const request = current();
    if (request !== undefined) requests.run(request);
  };
  /** Puts a request at the end of the text, or goes to where it stands already. */
  const insert = (request: string): WrittenRequest | undefined => {
    const editor = view.current;
    if (editor === undefined) return undefined;
    const trimmed = request.trim();
    const doc = editor.state.doc.toString();
    let at = `${doc}\n`.indexOf(`${trimmed}\n`);
    if (at === -1) {
      const gap = doc === '' || doc.endsWith('\n\n') ? '' : doc.endsWith('\n') ? '\n' : '\n\n';
      editor.dispatch({ changes: { from: doc.length, insert: `${gap}${trimmed}\n` } });
      at = doc.length + gap.length;
    }
    editor.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    return requestAt(editor.state.field(requestsField), at);
  };
  const indentCurrent = () => {
    const request = current();
    if (request === undefined || request.body.trim() === '' || takesLines(request.path)) return;
    const { bodyFrom, to, body } = request;
    if (/^\s*(#|\/\/)/m.test(body)) return;
    view.current?.dispatch({ changes: { from: bodyFrom, to, insert: indented(body) } });
  };
  return (
    <>
      <ViewHeader title="Requests">
        <button
          type="button"
          aria-pressed={showsExamples}
          onClick={() => setParams({ chapter: showsExamples ? undefined : 'documents' })}
        >
          Examples
        </button>
        <button
          type="button"
          aria-pressed={showsHistory.value}
          onClick={() => {
            showsHistory.value = !showsHistory.value;
          }}
        >
          <Icon name="history" /> History
        </button>
      </ViewHeader>
      <div class="requests">
        <div class="stack">
          <section class="panel requests-editor" aria-label="Requests">
            <div class="actions">
              <button type="button" class="primary" onClick={runCurrent}>
                <Icon name="play" /> Run
              </button>
              <button type="button" class="quiet small" onClick={indentCurrent}>
                Indent
              </button>
              <CopyMenu request={current} />
            </div>
            <CodeEditor
              label="Requests. Control Enter runs the one at the cursor"
              value={text.value}
              onChange={(value) => {
                text.value = value;
              }}
              extensions={extensions}
              onRun={runCurrent}
              onView={(made) => {
                view.current = made;
              }}
            />
          </section>
          {showsExamples && (
            <ExamplesPanel
              onRun={(request) => {
                const written = insert(request);
                if (written === undefined) return;
                requests.run(written);
                answer.current?.scrollIntoView({ block: 'nearest' });
              }}
              onOpen={(chapter) => {
                const length = view.current?.state.doc.length ?? 0;
                view.current?.dispatch({
                  changes: { from: 0, to: length, insert: chapter },
                  selection: { anchor: 0 },
                });
              }}
              onClose={() => setParams({ chapter: undefined })}
            />
          )}
          {showsHistory.value && (
            <HistoryPanel
              onPick={({ method, path, body }) => insert(writeRequest(method, path, body))}
              onClose={() => {
                showsHistory.value = false;
              }}
            />
          )}
        </div>
        <div ref={answer}>
          <AnswerPanel requests={requests} />
        </div>
      </div>
      <Doubt requests={requests} />
    </>
  );
}

/** Asks before much is taken away. */
function Doubt({ requests }: { requests: Requests }) {
  const asked = requests.doubtful.value;
  if (asked === undefined) return null;
  const { request, warning } = asked;
  return (
    <Dialog title="Delete?" onClose={requests.refuse}>
      <div class="form">
        <p>{warning}</p>
        <RequestLine method={request.method} path={request.path} body={request.body} />
        <div class="actions">
          <button type="button" class="quiet" onClick={requests.refuse}>
            Cancel
          </button>
          <button type="button" class="danger" onClick={requests.confirm}>
            Send it
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** What a link brings, what stood here before, or a beginning. */
function firstText(): string {
  const linked = place.peek().params.get('load');
  if (linked === null) return keptBuffer() ?? FIRST;
  const kept = keptBuffer();
  return kept === undefined || kept.includes(linked.trim())
    ? (kept ?? linked)
    : `${linked.trim()}\n\n${kept}`;
}
