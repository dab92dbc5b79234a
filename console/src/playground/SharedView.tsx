/** What a link brings: said before it is put in, since an index of the same name is replaced. */
import { useSignal } from '@preact/signals';
import { useClient } from '../app/context';
import { place } from '../app/location';
import { ErrorBox } from '../components/ErrorBox';
import { formatCount } from '../components/formats';
import { JsonTree } from '../components/JsonTree';
import { Panel } from '../components/Panel';
import { Spinner } from '../components/Spinner';
import { useAnswer } from '../components/useAnswer';
import { ViewHeader } from '../components/ViewHeader';
import { readShared, restoreShared } from './sharedState';

export default function SharedView() {
  const client = useClient();
  const code = place.value.params.get('state') ?? '';
  const isRunning = useSignal(false);
  const problem = useSignal<unknown>(undefined);
  const answered = useAnswer(
    async (signal) => {
      const state = await readShared(code);
      const { status } = await client.send('HEAD', `/${encodeURIComponent(state.index)}`, undefined, {
        signal,
        quiet: true,
      });
      return { state, isThere: status === 200 };
    },
    [client, code],
  );
  const { value, error } = answered.value;
  if (error !== undefined) return <ErrorBox title="This link can’t be opened" error={error} />;
  if (value === undefined) return <Spinner label="Reading the link" />;
  const { state, isThere } = value;
  const open = async () => {
    isRunning.value = true;
    problem.value = undefined;
    try {
      await restoreShared(client, state);
      location.hash = `#/${state.place}`;
    } catch (e) {
      problem.value = e;
      isRunning.value = false;
    }
  };
  return (
    <>
      <ViewHeader title="A link with an index" />
      <Panel title={state.index}>
        <div class="stack">
          <p>
            {state.documents.length === 1
              ? 'One document'
              : `${formatCount(state.documents.length)} documents`}
            , with settings and mappings, which stand in the link itself.{' '}
            {isThere && <b>This browser has an index of that name already: it is replaced.</b>}
          </p>
          <details>
            <summary>Settings and mappings</summary>
            <JsonTree value={{ settings: state.settings, mappings: state.mappings }} depth={3} />
          </details>
          {problem.value !== undefined && <ErrorBox error={problem.value} />}
          <div class="actions">
            <button type="button" class="primary" disabled={isRunning.value} onClick={() => void open()}>
              {isThere ? 'Replace it and go there' : 'Put it in and go there'}
            </button>
          </div>
        </div>
      </Panel>
    </>
  );
}
