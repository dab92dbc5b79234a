/** Makes an index: a name, two numbers, and whatever else its settings and mappings are to be. */
import { useSignal } from '@preact/signals';
import { isObject, type JsonObject, parseJson } from '../../api/json';
import { ActionDialog } from '../../components/ActionDialog';
import { JsonEditor } from '../../editor/JsonEditor';
import { createAction } from './indexActions';

interface CreateIndexDialogProps {
  onClose: () => void;
  onDone: () => void;
}

const EXAMPLE = '{\n  "mappings": {}\n}';

export default function CreateIndexDialog({ onClose, onDone }: CreateIndexDialogProps) {
  const name = useSignal('');
  const shards = useSignal(1);
  const replicas = useSignal(0);
  const more = useSignal(EXAMPLE);
  const read = readObject(more.value);
  const problem = name.value === '' ? 'It needs a name.' : typeof read === 'string' ? read : undefined;
  const action = createAction(name.value, shards.value, replicas.value, typeof read === 'string' ? {} : read);
  return (
    <ActionDialog action={action} problem={problem} onClose={onClose} onDone={onDone}>
      <label>
        Name
        <input
          value={name.value}
          autocomplete="off"
          spellcheck={false}
          placeholder="lower case, such as books"
          onInput={(event) => {
            name.value = event.currentTarget.value.trim();
          }}
        />
      </label>
      <div class="pair">
        <label>
          Shards
          <input
            type="number"
            min={1}
            max={1024}
            value={shards.value}
            onInput={(event) => {
              shards.value = Math.max(1, event.currentTarget.valueAsNumber || 1);
            }}
          />
        </label>
        <label>
          Replicas
          <input
            type="number"
            min={0}
            max={16}
            value={replicas.value}
            onInput={(event) => {
              replicas.value = Math.max(0, event.currentTarget.valueAsNumber || 0);
            }}
          />
        </label>
      </div>
      <div class="field">
        <p>Settings, mappings and aliases</p>
        <JsonEditor
          label="Settings, mappings and aliases"
          value={more.value}
          onChange={(value) => {
            more.value = value;
          }}
        />
      </div>
    </ActionDialog>
  );
}

/** An object of JSON, or why there is none. */
function readObject(text: string): JsonObject | string {
  if (text.trim() === '') return {};
  try {
    const value = parseJson(text);
    return isObject(value) ? value : 'Settings, mappings and aliases stand in an object: { … }';
  } catch (error) {
    return `This is no JSON: ${(error as Error).message}`;
  }
}
