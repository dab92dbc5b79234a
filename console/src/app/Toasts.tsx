/** Short messages that say what became of an action. Errors stay until they are closed. */
import { signal } from '@preact/signals';
import { Icon } from '../components/Icon';

interface Toast {
  id: number;
  kind: 'done' | 'error';
  text: string;
}

const toasts = signal<readonly Toast[]>([]);
const SHOWN_MS = 6000;
const MOST = 4;
let next = 1;

/** Says that something was done. */
export function tellDone(text: string): void {
  const id = add('done', text);
  setTimeout(() => close(id), SHOWN_MS);
}

/** Says what went wrong. */
export function tellError(error: unknown): void {
  add('error', error instanceof Error ? error.message : String(error));
}

function add(kind: Toast['kind'], text: string): number {
  const id = next++;
  toasts.value = [...toasts.value.slice(1 - MOST), { id, kind, text }];
  return id;
}

function close(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, kind, text }) => (
        <div key={id} class={`toast ${kind}`}>
          <p>{text}</p>
          <button type="button" class="icon" aria-label="Close" onClick={() => close(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
