/** Makes a link that holds an index and the view one looks at. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useClient } from '../app/context';
import { place, selectedIndex } from '../app/location';
import { CopyButton } from '../components/CopyButton';
import { Dialog } from '../components/Dialog';
import { ErrorBox } from '../components/ErrorBox';
import { formatCount } from '../components/formats';
import { Icon } from '../components/Icon';
import { Spinner } from '../components/Spinner';
import { captureIndex, writeShared } from './sharedState';

export function ShareButton() {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="quiet"
        disabled={selectedIndex.value === ''}
        title={selectedIndex.value === '' ? 'Choose an index in a view first' : undefined}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        <Icon name="link" /> Share as a link
      </button>
      {isOpen.value && (
        <ShareDialog
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}

function ShareDialog({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const link = useSignal<{ address: string; documents: number } | undefined>(undefined);
  const problem = useSignal<unknown>(undefined);
  const index = selectedIndex.value;
  const { view, params } = place.value;
  const shown = `${view}?${params.toString()}`;
  useEffect(() => {
    captureIndex(client, index, shown)
      .then(async (state) => {
        const address = `${location.href.split('#', 1)[0]!}#/${await writeShared(state)}`;
        link.value = { address, documents: state.documents.length };
      })
      .catch((error: unknown) => {
        problem.value = error;
      });
  }, [client, index, shown, link, problem]);
  const { value } = link;
  return (
    <Dialog title={`Share ${index}`} onClose={onClose}>
      <div class="form">
        <p>
          The link holds the settings, mappings and documents of <b>{index}</b>, and the view you look at.
          Whoever opens it gets all of that in an engine of their own; no server sees it.
        </p>
        {problem.value !== undefined ? (
          <ErrorBox title="This can’t be a link" error={problem.value} />
        ) : value === undefined ? (
          <Spinner label="Reading the index" />
        ) : (
          <>
            <label>
              Link with {formatCount(value.documents)} documents, {formatCount(value.address.length)}{' '}
              characters
              <textarea
                readOnly
                rows={4}
                value={value.address}
                onFocus={(event) => event.currentTarget.select()}
              />
            </label>
            <div class="actions">
              <CopyButton label="Copy the link" text={() => value.address} />
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}
