/** The playground's first page: what it is, documents to begin with, the tour. */
import { useSignal } from '@preact/signals';
import { useClient } from '../app/context';
import { linkTo } from '../app/location';
import { tellDone, tellError } from '../app/Toasts';
import { formatCount } from '../components/formats';
import { Icon } from '../components/Icon';
import { Panel } from '../components/Panel';
import { useAnswer } from '../components/useAnswer';
import { ViewHeader } from '../components/ViewHeader';
import { DATA_SETS, type DataSet, loadDataSet } from './dataSets';
import { useKept } from './playgroundContext';
import { startTour } from './tour/tourState';

const KEPT = {
  files: 'What you put in stays in this browser, in files of this page’s origin.',
  database: 'What you put in stays in this browser, in its database (IndexedDB).',
  memory: 'This browser lets the page keep nothing: what you put in is gone when the tab is closed.',
} as const;

export default function StartView() {
  const kept = useKept();
  return (
    <>
      <ViewHeader title="A search engine in this tab">
        <button type="button" class="primary" onClick={startTour}>
          <Icon name="play" /> Take the tour, ten steps
        </button>
      </ViewHeader>
      <div class="stack">
        <p class="lead">
          The engine that answers here is the one of the server: the same query language, the same analyzers,
          the same scores, to the last bit. It runs in a worker of this page. Nothing you type leaves your
          machine.
        </p>
        <p class="muted">{KEPT[kept]}</p>
        <div class="grid">
          {DATA_SETS.map((set) => (
            <DataSetPanel key={set.index} set={set} />
          ))}
          <Panel title="Documents of your own">
            <p>JSON lines, a JSON array, CSV, packed with gzip or not.</p>
            <p class="actions">
              <a href={linkTo('transfer', { index: '' })}>Put a file in</a>
            </p>
          </Panel>
        </div>
      </div>
    </>
  );
}

function DataSetPanel({ set }: { set: DataSet }) {
  const client = useClient();
  const progress = useSignal<string | undefined>(undefined);
  const answered = useAnswer(
    async (signal) => {
      const answer = await client.send('GET', `/${set.index}/_count`, undefined, { signal, quiet: true });
      return answer.status === 200 ? (answer.json as { count: number }).count : undefined;
    },
    [client, set.index],
  );
  const { value: count, reload } = answered.value;
  const load = async () => {
    progress.value = '0 %';
    try {
      await loadDataSet(client, set, (done, all) => {
        progress.value = `${Math.round((100 * done) / all)} %`;
      });
      tellDone(`${set.title}: all documents are in.`);
    } catch (error) {
      tellError(error);
    } finally {
      progress.value = undefined;
      reload();
    }
  };
  return (
    <Panel title={set.title}>
      <p>{set.about}</p>
      <p class="muted">
        {count === undefined
          ? 'Not loaded yet.'
          : `The index ${set.index} has ${formatCount(count)} documents.`}
      </p>
      <div class="actions">
        <button type="button" disabled={progress.value !== undefined} onClick={() => void load()}>
          {progress.value !== undefined
            ? `Loading, ${progress.value}`
            : count === undefined
              ? 'Load'
              : 'Load anew'}
        </button>
        {count !== undefined && <a href={linkTo('search', { index: set.index })}>Search</a>}
      </div>
    </Panel>
  );
}
