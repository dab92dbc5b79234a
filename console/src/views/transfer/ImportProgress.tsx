/** How far an import is, what became of it, and what was refused. */
import { linkTo } from '../../app/location';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { formatBytes, formatCount } from '../../components/formats';
import { Icon } from '../../components/Icon';
import { Panel } from '../../components/Panel';
import { saveFile } from '../../components/saveFile';
import type { Importing, Progress } from './importing';
import * as state from './importState';
import { rateOf, secondsLeft } from './rate';

/** Refused documents that are shown; the file has the others. */
const SHOWN = 50;

export function ImportProgress() {
  const { value: progress } = state.progress;
  const { value: running } = state.running;
  const { value: ended } = state.ended;
  if (running === undefined && ended === undefined) return null;
  const error = state.importError.value;
  return (
    <Panel
      title={
        running !== undefined
          ? 'Importing'
          : error !== undefined
            ? 'Ended early'
            : ended!.isStopped
              ? 'Stopped'
              : 'Imported'
      }
    >
      <div class="stack">
        {running !== undefined && (
          <>
            <progress
              aria-label="How much of the file is read"
              max={progress?.size ?? 1}
              value={progress?.read ?? 0}
            />
            <div class="actions">
              <button type="button" disabled={running.isStopped} onClick={() => running.stop()}>
                Stop
              </button>
              {progress !== undefined && progress.waiting !== '' && (
                <span class="muted">Trying again: {progress.waiting}</span>
              )}
            </div>
          </>
        )}
        {progress !== undefined && <Figures progress={progress} isRunning={running !== undefined} />}
        {error !== undefined && <ErrorBox error={error} title="It ended before the end of the file" />}
        {ended !== undefined && progress !== undefined && (
          <p role="status">
            {formatCount(progress.taken)} documents were taken
            {progress.refused > 0 ? `, ${formatCount(progress.refused)} refused` : ''}.{' '}
            {state.index.value !== '' && (
              <>
                <a href={linkTo('documents', { index: state.index.value })}>Look at the documents</a>
                {' · '}
                <a href={linkTo('search', { index: state.index.value })}>Search them</a>
              </>
            )}
          </p>
        )}
        {ended !== undefined && ended.refused.count > 0 && <RefusedDocuments importing={ended} />}
      </div>
    </Panel>
  );
}

function Figures({ progress, isRunning }: { progress: Progress; isRunning: boolean }) {
  const left = isRunning ? secondsLeft(progress) : undefined;
  return (
    <dl class="figures">
      <div>
        <dt>Taken</dt>
        <dd>{formatCount(progress.taken)}</dd>
      </div>
      <div>
        <dt>Refused</dt>
        <dd class={progress.refused > 0 ? 'problem' : ''}>{formatCount(progress.refused)}</dd>
      </div>
      <div>
        <dt>Read</dt>
        <dd>
          {formatBytes(progress.read)} of {formatBytes(progress.size)}
        </dd>
      </div>
      <div>
        <dt>Rate</dt>
        <dd>{formatCount(rateOf(progress))} documents/s</dd>
      </div>
      {left !== undefined && (
        <div>
          <dt>Left</dt>
          <dd>{left < 90 ? `${Math.ceil(left)} s` : `${Math.round(left / 60)} min`}</dd>
        </div>
      )}
    </dl>
  );
}

function RefusedDocuments({ importing }: { importing: Importing }) {
  const { kept, count } = importing.refused;
  const name = state.file.value?.name ?? 'file';
  return (
    <>
      <div class="actions">
        <h3>Refused</h3>
        <button
          type="button"
          class="small"
          onClick={() =>
            saveFile(`${name}.refused.jsonl`, 'application/x-ndjson', importing.refused.text(name))
          }
        >
          <Icon name="download" /> Save what was refused
        </button>
        {kept.length < count && <span class="muted">The first {formatCount(kept.length)} are kept.</span>}
      </div>
      <DataTable
        caption="Refused documents"
        rows={kept.slice(0, SHOWN).map((refused, at) => ({ ...refused, at }))}
        rowKey={({ at }) => String(at)}
        columns={[
          {
            name: 'line',
            title: 'Line',
            isNumber: true,
            sortBy: ({ line }) => line,
            cell: ({ line }) => line,
          },
          { name: 'status', title: 'Status', isNumber: true, cell: ({ status }) => status },
          { name: 'reason', title: 'Why', sortBy: ({ reason }) => reason, cell: ({ reason }) => reason },
          { name: 'source', title: 'What', cell: ({ source }) => <code>{source.slice(0, 200)}</code> },
        ]}
      />
    </>
  );
}
