/** One index: its aliases and what can be done with it. */
import { useSignal } from '@preact/signals';
import { type Action, ActionDialog } from '../../components/ActionDialog';
import { Dialog } from '../../components/Dialog';
import { formatBytes, formatCount } from '../../components/formats';
import { Icon } from '../../components/Icon';
import { ACTION_TITLES, actionsOf, aliasAction, plainAction } from './indexActions';
import type { IndexRow } from './indices';

interface IndexDialogProps {
  row: IndexRow;
  onClose: () => void;
  onDone: () => void;
}

export function IndexDialog({ row, onClose, onDone }: IndexDialogProps) {
  const action = useSignal<Action | undefined>(undefined);
  const alias = useSignal('');
  if (action.value !== undefined)
    return <ActionDialog action={action.value} onClose={onClose} onDone={onDone} />;
  const { name, isOpen, aliases } = row;
  const addAlias = (event: SubmitEvent) => {
    event.preventDefault();
    const text = alias.value.trim();
    if (text !== '') action.value = aliasAction('add', name, text);
  };
  return (
    <Dialog title={name} onClose={onClose}>
      <div class="stack">
        <p class="muted">{describe(row)}</p>
        <div class="actions">
          {actionsOf(isOpen).map((each) => (
            <button
              key={each}
              type="button"
              class={each === 'delete' ? 'danger' : ''}
              onClick={() => {
                action.value = plainAction(each, name);
              }}
            >
              {ACTION_TITLES[each]}…
            </button>
          ))}
        </div>
        <h3>Aliases</h3>
        {aliases.length === 0 ? (
          <p class="muted">None. An alias is another name that can move from one index to the next.</p>
        ) : (
          <ul class="aliases">
            {aliases.map((each) => (
              <li key={each}>
                <span class="tag">{each}</span>
                <button
                  type="button"
                  class="icon"
                  aria-label={`Remove alias ${each}`}
                  onClick={() => {
                    action.value = aliasAction('remove', name, each);
                  }}
                >
                  <Icon name="delete" />
                </button>
              </li>
            ))}
          </ul>
        )}
        <form class="inline" onSubmit={addAlias}>
          <label>
            <span>New alias</span>
            <input
              value={alias.value}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => {
                alias.value = event.currentTarget.value;
              }}
            />
          </label>
          <button type="submit" disabled={alias.value.trim() === ''}>
            <Icon name="add" /> Add…
          </button>
        </form>
      </div>
    </Dialog>
  );
}

function describe({ isOpen, documents = 0, deleted = 0, disk = 0, segments = 0 }: IndexRow): string {
  if (!isOpen) return 'Closed: it answers nothing until it is opened.';
  return `${formatCount(documents)} documents, ${formatCount(deleted)} deleted ones that merges have not dropped yet, ${formatBytes(disk)} in ${formatCount(segments)} segments.`;
}
