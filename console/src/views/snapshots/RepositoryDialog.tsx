/** Adds a repository: a place where snapshots are kept. */
import { useSignal } from '@preact/signals';
import { ActionDialog } from '../../components/ActionDialog';
import { createRepository, REPOSITORY_TYPES } from './snapshotActions';

interface RepositoryDialogProps {
  onClose: () => void;
  onDone: (name: string) => void;
}

export function RepositoryDialog({ onClose, onDone }: RepositoryDialogProps) {
  const name = useSignal('');
  const type = useSignal('fs');
  const settings = useSignal<Readonly<Record<string, string>>>({});
  const isReadonly = useSignal(false);
  const { hint, fields } = REPOSITORY_TYPES[type.value]!;
  const own = Object.fromEntries(fields.map((field) => [field.name, settings.value[field.name] ?? '']));
  const problem =
    name.value === ''
      ? 'It needs a name.'
      : own[fields[0]!.name] === ''
        ? `${fields[0]!.title} is missing.`
        : undefined;
  return (
    <ActionDialog
      action={createRepository(name.value, type.value, own, isReadonly.value && type.value !== 'url')}
      problem={problem}
      onClose={onClose}
      onDone={() => onDone(name.value)}
    >
      <label>
        Name
        <input
          value={name.value}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => {
            name.value = event.currentTarget.value.trim();
          }}
        />
      </label>
      <label>
        Kind
        <select
          value={type.value}
          onChange={(event) => {
            type.value = event.currentTarget.value;
          }}
        >
          {Object.entries(REPOSITORY_TYPES).map(([each, { title }]) => (
            <option key={each} value={each}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {fields.map((field) => (
        <label key={field.name}>
          {field.title}
          <input
            value={own[field.name]}
            placeholder={field.placeholder}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => {
              settings.value = { ...settings.value, [field.name]: event.currentTarget.value.trim() };
            }}
          />
        </label>
      ))}
      <p class="muted">{hint}</p>
      {type.value !== 'url' && (
        <label class="check">
          <input
            type="checkbox"
            checked={isReadonly.value}
            onChange={(event) => {
              isReadonly.value = event.currentTarget.checked;
            }}
          />
          Only read from it
        </label>
      )}
    </ActionDialog>
  );
}
