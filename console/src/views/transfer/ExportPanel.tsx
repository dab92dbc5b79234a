/** Writes the documents of an index to a file. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useClient } from '../../app/context';
import { place, selectedIndex, setParams } from '../../app/location';
import { ErrorBox } from '../../components/ErrorBox';
import { formatBytes, formatCount } from '../../components/formats';
import { Icon } from '../../components/Icon';
import { IndexPicker } from '../../components/IndexPicker';
import { Panel } from '../../components/Panel';
import { queryOf } from '../../components/queryText';
import { useFields } from '../../components/useFields';
import { canStream, openDestination } from './destination';
import { type ExportFormat, exportPages } from './exporting';

const FORMATS: readonly { name: ExportFormat; title: string; suffix: string; type: string }[] = [
  { name: 'jsonl', title: 'JSON lines: the documents alone', suffix: 'jsonl', type: 'application/x-ndjson' },
  {
    name: 'hits',
    title: 'JSON lines with ids, routing and versions',
    suffix: 'jsonl',
    type: 'application/x-ndjson',
  },
  { name: 'csv', title: 'Table (CSV)', suffix: 'csv', type: 'text/csv' },
];

interface Exporting {
  total: number;
  written: number;
  characters: number;
  isRunning: boolean;
}

export function ExportPanel() {
  const client = useClient();
  const { params } = place.value;
  const index = selectedIndex.value;
  const query = params.get('q') ?? '';
  const format = FORMATS.find(({ name }) => name === params.get('format')) ?? FORMATS[0]!;
  const fields = useFields(index);
  const now = useSignal<Exporting | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const ending = useSignal<AbortController | undefined>(undefined);
  useEffect(() => () => ending.peek()?.abort(), []);

  const run = async (event: SubmitEvent) => {
    event.preventDefault();
    error.value = undefined;
    now.value = undefined;
    try {
      const asked = queryOf(query);
      const destination = await openDestination(`${index}.${format.suffix}`, format.type);
      if (destination === undefined) return;
      const stop = new AbortController();
      ending.value = stop;
      now.value = { total: 0, written: 0, characters: 0, isRunning: true };
      try {
        const columns = (fields.value.value ?? [])
          .filter((each) => !each.isMultiField)
          .map(({ path }) => path);
        const pages = exportPages(client, {
          index,
          query: asked,
          format: format.name,
          columns,
          signal: stop.signal,
          onTotal: (total) => {
            now.value = { ...now.peek()!, total };
          },
        });
        for await (const { text, documents } of pages) {
          await destination.write(text);
          const { written, characters } = now.peek()!;
          now.value = { ...now.peek()!, written: written + documents, characters: characters + text.length };
        }
        stop.signal.throwIfAborted();
        await destination.finish();
      } catch (failure) {
        await destination.abandon().catch(() => {});
        if (!stop.signal.aborted) throw failure;
      }
    } catch (failure) {
      error.value = failure;
    } finally {
      if (now.peek() !== undefined) now.value = { ...now.peek()!, isRunning: false };
    }
  };
  const isRunning = now.value?.isRunning === true;
  return (
    <Panel title="Export">
      <form class="form" onSubmit={(event) => void run(event)}>
        <IndexPicker />
        <label>
          Query
          <input
            value={query}
            placeholder="all documents; words, field:value, or JSON"
            autocomplete="off"
            spellcheck={false}
            disabled={isRunning}
            onInput={(event) => setParams({ q: event.currentTarget.value })}
          />
        </label>
        <label>
          Format
          <select
            value={format.name}
            disabled={isRunning}
            onChange={(event) => setParams({ format: event.currentTarget.value })}
          >
            {FORMATS.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <p class="muted">
          {format.name === 'csv'
            ? 'A column for each field of the mapping; lists and objects are JSON. '
            : 'Documents as they were written, byte for byte. '}
          {canStream()
            ? 'The file is written as it comes.'
            : 'This browser keeps the file until it is whole: up to 512 MB. For more: resilin export.'}
        </p>
        {error.value !== undefined && <ErrorBox error={error.value} />}
        {now.value !== undefined && (
          <ExportProgress
            now={now.value}
            isStopped={ending.value?.signal.aborted === true}
            hasFailed={error.value !== undefined}
          />
        )}
        <div class="actions">
          {isRunning && (
            <button type="button" onClick={() => ending.value?.abort()}>
              Stop
            </button>
          )}
          <button type="submit" class="primary" disabled={isRunning || index === ''}>
            <Icon name="download" /> Export
          </button>
        </div>
      </form>
    </Panel>
  );
}

function ExportProgress({
  now,
  isStopped,
  hasFailed,
}: {
  now: Exporting;
  isStopped: boolean;
  hasFailed: boolean;
}) {
  const { total, written, characters, isRunning } = now;
  const said = `${formatCount(written)} of ${formatCount(total)} documents, ${formatBytes(characters)}`;
  if (isRunning)
    return (
      <>
        <progress aria-label="How much is written" max={Math.max(1, total)} value={written} />
        <p class="muted">{said}</p>
      </>
    );
  return (
    <p role="status">
      {isStopped
        ? `Stopped after ${said}; the file was left out.`
        : hasFailed
          ? `Ended after ${said}.`
          : `Exported ${said}.`}
    </p>
  );
}
