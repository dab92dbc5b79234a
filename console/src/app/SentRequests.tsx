/** What the console has sent for a person's actions: each request can be copied and looked at again. */
import { useSignal } from '@preact/signals';
import { asCurl } from '../api/client';
import { CopyButton } from '../components/CopyButton';
import { useClient } from './context';

export function SentRequests() {
  const client = useClient();
  const isOpen = useSignal(false);
  const sent = client.sent.value;
  const last = sent[0];
  return (
    <section class="sent" aria-label="Requests that were sent">
      <button
        type="button"
        class="last"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {last === undefined ? (
          'No requests yet'
        ) : (
          <>
            <b>{last.method}</b> <code>{last.path}</code>{' '}
            {last.status !== undefined && (
              <span class={last.status >= 400 ? 'problem' : 'muted'}>
                {last.status}, {Math.round(last.took!)} ms
              </span>
            )}
          </>
        )}
      </button>
      {isOpen.value && (
        <ol>
          {sent.map((request) => (
            <li key={request.id}>
              <div class="line">
                <b>{request.method}</b> <code>{request.path}</code>
                {request.status !== undefined && (
                  <span class={request.status >= 400 ? 'problem' : 'muted'}>
                    {request.status}, {Math.round(request.took!)} ms
                  </span>
                )}
                <CopyButton label="Copy as curl" text={() => asCurl(client.transport.address, request)} />
              </div>
              {request.body !== undefined && request.body !== '' && <pre>{request.body}</pre>}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
