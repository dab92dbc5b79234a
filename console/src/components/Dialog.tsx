/** A dialog above the page: the browser's own, which holds the focus and closes with Escape. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './Icon';

interface DialogProps {
  title: string;
  children: ComponentChildren;
  /** Asked to close it: Escape, the cross. */
  onClose?: () => void;
  /** It can't be closed but by what is in it. */
  isFixed?: boolean;
  /** As wide as the page allows. */
  isWide?: boolean;
}

export function Dialog({ title, children, onClose, isFixed = false, isWide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'wide' : ''}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (!isFixed) onClose?.();
      }}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        {!isFixed && (
          <button type="button" class="icon" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
