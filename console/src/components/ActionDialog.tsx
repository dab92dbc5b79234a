/** Asks before something is done, shows the request that does it, and for what can't be undone wants a name to be typed. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Json, type JsonObject, writeJson } from '../api/json';
import { useClient } from '../app/context';
import { tellDone, tellError } from '../app/Toasts';
import { Dialog } from './Dialog';
import { ErrorBox } from './ErrorBox';

/** What is to be done. */
export interface Action {
  /** On the button: `Delete index`. */
  title: string;
  method: string;
  path: string;
  body?: Json | undefined;
  /** Shown and remembered in place of the body, which holds a secret. */
  shown?: Json | undefined;
  /** Said when it is done. */
  done: string;
  /** Has to be typed first. */
  typed?: string;
  /** Why one should think twice. */
  warning?: string;
}

interface ActionDialogProps {
  action: Action;
  onClose: () => void;
  /** It is done. Whoever takes the answer says what became of it. */
  onDone?: (answer: JsonObject) => void;
  /** How far it is, for what takes a while. */
  whileRunning?: ComponentChildren;
  /** Why it can't be sent yet. */
  problem?: string | undefined;
  /** Fields, for instance, above the request. */
  children?: ComponentChildren;
}

export function ActionDialog({
  action,
  onClose,
  onDone,
  problem,
  whileRunning,
  children,
}: ActionDialogProps) {
  const client = useClient();
  const typed = useSignal('');
  const error = useSignal<unknown>(undefined);
  const isRunning = useSignal(false);
  /** Closed while it goes on. */
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const { title, method, path, body, warning } = action;
  const isReady = problem === undefined && (action.typed === undefined || typed.value === action.typed);
  const run = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!isReady || isRunning.value) return;
    isRunning.value = true;
    error.value = undefined;
    try {
      const answer = await client.json(method, path, body, { shown: action.shown });
      tellDone(action.done);
      if (!isGone.current) onClose();
      onDone?.(answer);
    } catch (e) {
      if (isGone.current) tellError(e);
      error.value = e;
    } finally {
      isRunning.value = false;
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" onSubmit={(event) => void run(event)}>
        {children}
        {warning !== undefined && <p>{warning}</p>}
        <RequestLine method={method} path={path} body={action.shown ?? body} />
        {problem !== undefined && <p class="muted">{problem}</p>}
        {action.typed !== undefined && (
          <label>
            <span>
              Type <b>{action.typed}</b> to go on
            </span>
            <input
              value={typed.value}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => {
                typed.value = event.currentTarget.value;
              }}
            />
          </label>
        )}
        {isRunning.value && whileRunning}
        {error.value !== undefined && <ErrorBox error={error.value} />}
        <div class="actions">
          <button type="button" class="quiet" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={method === 'DELETE' ? 'danger' : 'primary'}
            disabled={!isReady || isRunning.value}
          >
            {title}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** A request as it will be sent. */
export function RequestLine({
  method,
  path,
  body,
}: {
  method: string;
  path: string;
  body?: Json | undefined;
}) {
  return (
    <div class="request-line">
      <p>
        <b>{method}</b> <code>{path}</code>
      </p>
      {body !== undefined && <pre>{typeof body === 'string' ? body : writeJson(body, 2)}</pre>}
    </div>
  );
}
