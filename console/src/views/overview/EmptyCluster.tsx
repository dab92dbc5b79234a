/** What to do where there is nothing yet. */
import { linkTo } from '../../app/location';
import { VIEWS } from '../../app/views';
import { Icon } from '../../components/Icon';

const STEPS = [
  {
    view: 'transfer',
    title: 'Import a file',
    text: 'JSON lines, a JSON array or CSV: fields are proposed from its first rows.',
  },
  {
    view: 'requests',
    title: 'Run examples',
    text: 'Requests that make an index, write documents and search them, with a click each.',
  },
] as const;

export function EmptyCluster({ onCreate }: { onCreate: () => void }) {
  const steps = STEPS.filter(({ view }) => VIEWS.some(({ name }) => name === view));
  return (
    <div class="empty-cluster">
      <p>There is no index yet.</p>
      <ul>
        {steps.map(({ view, title, text }) => (
          <li key={view}>
            <a href={linkTo(view)}>{title}</a>
            <p class="muted">{text}</p>
          </li>
        ))}
        <li>
          <button type="button" class="primary" onClick={onCreate}>
            <Icon name="add" /> Create an index
          </button>
          <p class="muted">With shards, settings and mappings of your own.</p>
        </li>
      </ul>
    </div>
  );
}
