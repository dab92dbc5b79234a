/** Copies a text to the clipboard. */
import { tellDone, tellError } from '../app/Toasts';
import { Icon } from './Icon';

export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      tellDone('Copied');
    } catch {
      tellError('This browser does not let the page copy.');
    }
  };
  return (
    <button type="button" class="quiet small" onClick={() => void copy()}>
      <Icon name="copy" /> {label}
    </button>
  );
}
