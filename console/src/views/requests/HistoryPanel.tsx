/** Requests that were run in this browser. */
import { Icon } from '../../components/Icon';
import { Panel } from '../../components/Panel';
import { clearHistory, type PastRequest, past } from './history';

const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });

export function HistoryPanel({
  onPick,
  onClose,
}: {
  onPick: (request: PastRequest) => void;
  onClose: () => void;
}) {
  return (
    <Panel
      title="History"
      class="history"
      actions={
        <>
          <button type="button" class="quiet small" onClick={clearHistory} disabled={past.value.length === 0}>
            Clear
          </button>
          <button type="button" class="icon" aria-label="Close the history" onClick={onClose}>
            <Icon name="close" />
          </button>
        </>
      }
    >
      {past.value.length === 0 ? (
        <p class="empty">What you run is listed here, in this browser alone.</p>
      ) : (
        <ul>
          {past.value.map((request) => (
            <li key={`${request.at} ${request.path}`}>
              <button type="button" class="quiet" onClick={() => onPick(request)}>
                <b>{request.method}</b>
                <code>{request.path}</code>
                <span class={request.status < 400 ? 'muted' : 'problem'}>{request.status}</span>
                <time class="muted">{time.format(request.at)}</time>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
