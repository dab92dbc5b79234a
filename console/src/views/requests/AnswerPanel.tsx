/** An answer: as JSON that folds, as text, as a table, as documents. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Answer } from '../../api/client';
import { isObject } from '../../api/json';
import { CopyButton } from '../../components/CopyButton';
import { ErrorBox } from '../../components/ErrorBox';
import { formatBytes, formatCount, formatMs } from '../../components/formats';
import { JsonTree } from '../../components/JsonTree';
import { Panel } from '../../components/Panel';
import { Spinner } from '../../components/Spinner';
import { Tabs } from '../../components/Tabs';
import { indented } from '../../dsl/indented';
import { AnswerDocuments } from './AnswerDocuments';
import { AnswerTables } from './AnswerTables';
import { hasTables, hitsOf } from './answerTable';
import { LongText } from './LongText';
import type { Requests } from './useRequests';

type Form = 'json' | 'text' | 'table' | 'documents';

/** Characters of an answer that is open at first down to its documents. */
const MANY = 50_000;
/** Longer texts are shown as they came. */
const MAX_INDENTED = 500_000;

export function AnswerPanel({ requests }: { requests: Requests }) {
  const running = requests.running.value;
  const outcome = requests.outcome.value;
  const answer = outcome?.answer;
  return (
    <Panel
      title="Answer"
      class="answer"
      actions={
        running === undefined ? (
          answer !== undefined && <CopyButton label="Copy" text={() => answer.text} />
        ) : (
          <button type="button" onClick={requests.stop}>
            Stop
          </button>
        )
      }
    >
      {running !== undefined ? (
        <Spinner label={`${running.method} ${running.path}`} />
      ) : outcome === undefined ? (
        <p class="empty">
          Put the cursor into a request and press <kbd>Ctrl</kbd> <kbd>Enter</kbd>, or click the triangle
          beside it.
        </p>
      ) : answer === undefined ? (
        outcome.isStopped ? (
          <p class="empty">It was stopped before its answer came.</p>
        ) : (
          <ErrorBox error={outcome.error} />
        )
      ) : (
        <>
          <Summary answer={answer} path={`${outcome.request.method} ${outcome.request.path}`} />
          <AnswerBody answer={answer} key={answer.took} />
        </>
      )}
    </Panel>
  );
}

function Summary({ answer, path }: { answer: Answer; path: string }) {
  const { status, took, text, json } = answer;
  const inner = isObject(json) && typeof json.took === 'number' ? json.took : undefined;
  return (
    <div class="answer-summary" role="status">
      <span class={status < 400 ? 'status good' : 'status bad'}>Status {status}</span>
      <span>{formatMs(took)}</span>
      {inner !== undefined && <span class="muted">{inner} ms in the server</span>}
      <span class="muted">{formatBytes(new Blob([text]).size)}</span>
      <code class="answer-path">{path}</code>
    </div>
  );
}

function AnswerBody({ answer }: { answer: Answer }) {
  const { json, text, status } = answer;
  const isTable = useMemo(() => hasTables(json, text), [answer]);
  const hits = useMemo(() => hitsOf(json), [answer]);
  const chosen = useSignal<Form | undefined>(undefined);
  const forms: { name: Form; title: string }[] = [
    ...(json === undefined ? [] : [{ name: 'json' as const, title: 'JSON' }]),
    { name: 'text', title: 'Text' },
    ...(isTable ? [{ name: 'table' as const, title: 'Table' }] : []),
    ...(hits.length > 0
      ? [{ name: 'documents' as const, title: `Documents (${formatCount(hits.length)})` }]
      : []),
  ];
  const form = chosen.value ?? (json === undefined && isTable ? 'table' : forms[0]!.name);
  const error = isObject(json) && typeof json.error === 'string' ? json.error : undefined;
  if (text === '') return <p class="empty">The answer is empty.</p>;
  return (
    <>
      {status >= 400 && error !== undefined && <ErrorBox title={`Status ${status}`} error={error} />}
      <Tabs
        label="How the answer is shown"
        tabs={forms}
        selected={form}
        onSelect={(name) => {
          chosen.value = name;
        }}
      >
        {form === 'json' && <JsonTree value={json} depth={text.length < MANY ? 5 : 3} />}
        {form === 'text' && (
          <LongText text={json !== undefined && text.length < MAX_INDENTED ? indented(text) : text} />
        )}
        {form === 'table' && <AnswerTables answer={answer} />}
        {form === 'documents' && <AnswerDocuments hits={hits} />}
      </Tabs>
    </>
  );
}
