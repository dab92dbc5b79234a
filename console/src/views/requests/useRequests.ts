/** Sending what stands in the editor, one request at a time. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Answer } from '../../api/client';
import { useClient } from '../../app/context';
import { remember } from './history';
import { bodyToSend, type WrittenRequest } from './notation';
import { warningOf } from './warning';

/** A request as it is sent. */
export interface Sending {
  method: string;
  path: string;
  body: string | undefined;
  /** Where it stands in the editor. */
  written: WrittenRequest | undefined;
}

/** What has come of the last request. */
export interface Outcome {
  request: Sending;
  answer: Answer | undefined;
  error: unknown;
  /** It was ended by a click. */
  isStopped: boolean;
}

export interface Requests {
  outcome: ReadonlySignal<Outcome | undefined>;
  running: ReadonlySignal<Sending | undefined>;
  /** One that takes more than one thing away, and waits for a yes. */
  doubtful: ReadonlySignal<{ request: Sending; warning: string } | undefined>;
  run: (request: WrittenRequest) => void;
  /** Sends what was asked about. */
  confirm: () => void;
  refuse: () => void;
  stop: () => void;
}

export function useRequests(onAnswer: (request: Sending, answer: Answer) => void): Requests {
  const client = useClient();
  const outcome = useSignal<Outcome | undefined>(undefined);
  const running = useSignal<Sending | undefined>(undefined);
  const doubtful = useSignal<{ request: Sending; warning: string } | undefined>(undefined);
  const ending = useRef<AbortController | undefined>(undefined);
  const send = async (request: Sending) => {
    ending.current?.abort();
    const mine = new AbortController();
    ending.current = mine;
    running.value = request;
    const isNewest = () => ending.current === mine;
    try {
      const { method, path, body } = request;
      const answer = await client.send(method, path, body, { signal: mine.signal });
      if (!isNewest()) return;
      outcome.value = { request, answer, error: undefined, isStopped: false };
      remember({ method, path, body, status: answer.status, at: Date.now() });
      onAnswer(request, answer);
    } catch (error) {
      if (!isNewest()) return;
      outcome.value = { request, answer: undefined, error, isStopped: mine.signal.aborted };
    } finally {
      if (isNewest()) running.value = undefined;
    }
  };
  return {
    outcome,
    running,
    doubtful,
    run(written) {
      const { method, path } = written;
      const request = { method, path, body: bodyToSend(written), written };
      const warning = warningOf(request);
      if (warning === undefined) void send(request);
      else doubtful.value = { request, warning };
    },
    confirm() {
      const asked = doubtful.value;
      doubtful.value = undefined;
      if (asked !== undefined) void send(asked.request);
    },
    refuse() {
      doubtful.value = undefined;
    },
    stop() {
      ending.current?.abort();
    },
  };
}
