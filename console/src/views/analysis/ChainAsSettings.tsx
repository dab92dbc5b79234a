/** A chain as settings: to copy, or to create an index with. */
import { useSignal } from '@preact/signals';
import { writeJson } from '../../api/json';
import { goTo } from '../../app/location';
import { ActionDialog } from '../../components/ActionDialog';
import { CopyButton } from '../../components/CopyButton';
import type { Chain } from './analysisState';
import { chainSettings, type Definitions } from './chainSettings';

export function ChainAsSettings({ chain, definitions }: { chain: Chain; definitions: Definitions }) {
  const isCreating = useSignal(false);
  const analyzer = useSignal('my_analyzer');
  const index = useSignal('');
  const settings = chainSettings(analyzer.value.trim() || 'my_analyzer', chain, definitions);
  return (
    <details class="as-settings">
      <summary>As settings of an index</summary>
      <div class="stack">
        <div class="actions">
          <label class="picker">
            Name of the analyzer
            <input
              value={analyzer.value}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => {
                analyzer.value = event.currentTarget.value;
              }}
            />
          </label>
          <CopyButton label="Copy" text={() => writeJson(settings, 2)} />
          <button
            type="button"
            onClick={() => {
              isCreating.value = true;
            }}
          >
            Create an index with it
          </button>
        </div>
        <pre>{writeJson(settings, 2)}</pre>
      </div>
      {isCreating.value && (
        <ActionDialog
          action={{
            title: 'Create index',
            method: 'PUT',
            path: `/${encodeURIComponent(index.value.trim())}`,
            body: settings,
            done: `Index ${index.value.trim()} created`,
          }}
          onClose={() => {
            isCreating.value = false;
          }}
          onDone={() =>
            goTo('analysis', { index: index.value.trim(), analyzer: analyzer.value.trim() || 'my_analyzer' })
          }
        >
          <label>
            Name of the index
            <input
              value={index.value}
              required
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => {
                index.value = event.currentTarget.value;
              }}
            />
          </label>
        </ActionDialog>
      )}
    </details>
  );
}
