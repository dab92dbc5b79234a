/** Where a file is dropped, or chosen by a button. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Icon } from '../../components/Icon';

export function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const isOver = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button within does the same
    <div
      class={`drop-zone ${isOver.value ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => {
        isOver.value = false;
      }}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        const file = event.dataTransfer?.files[0];
        if (file !== undefined) onFile(file);
      }}
    >
      <Icon name="upload" />
      <p>
        Drop a file here, or{' '}
        <button type="button" class="primary" onClick={() => input.current?.click()}>
          Choose a file
        </button>
      </p>
      <p class="muted">
        JSON lines, a JSON list, CSV, TSV, bulk, or what was exported here; plain or packed with gzip.
      </p>
      <input
        ref={input}
        type="file"
        class="hidden"
        tabIndex={-1}
        aria-label="File to import"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file !== undefined) onFile(file);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
