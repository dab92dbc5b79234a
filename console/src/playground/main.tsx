/** The playground: the console over an engine in the tab, with two sets of documents, a tour, and links that hold an index. */
import { render } from 'preact';
import { Client } from '../api/client';
import { App } from '../app/App';
import { ClientContext } from '../app/context';
import { place } from '../app/location';
import { applyTheme } from '../app/theme';
import { VIEWS, type View } from '../app/views';
import { ErrorBox } from '../components/ErrorBox';
import { Spinner } from '../components/Spinner';
import '../styles/index.css';
import { EngineTransport } from './engineTransport';
import { keepOffline } from './offline';
import './playground.css';
import { PlaygroundContext } from './playgroundContext';
import { ShareButton } from './ShareButton';
import { SHARED } from './sharedState';
import { Tour } from './tour/Tour';

const START: View = {
  name: 'start',
  title: 'Start',
  icon: 'tour',
  load: () => import('./StartView'),
};

/** Where a link with an index leads; it stands in no list. */
const LINKED: View = {
  name: SHARED,
  title: 'A link',
  icon: 'link',
  isHidden: true,
  load: () => import('./SharedView'),
};

const views = [START, ...VIEWS.filter(({ needsServer }) => needsServer !== true), LINKED];

async function start(): Promise<void> {
  applyTheme();
  const root = document.querySelector('#app')!;
  render(
    <main class="starting">
      <Spinner label="Starting the engine" />
    </main>,
    root,
  );
  if (location.hash === '') history.replaceState(null, '', '#/start');
  place.value = { ...place.value, view: location.hash === '#/start' ? 'start' : place.value.view };
  try {
    const transport = await EngineTransport.start(new URL('./engine/', document.baseURI).href);
    const client = new Client(transport);
    // For whoever tries things in the browser's own console, as a program would: await resilin.send('GET', '/_cat/indices').
    Object.assign(globalThis, { resilin: client });
    render(
      <ClientContext.Provider value={client}>
        <PlaygroundContext.Provider value={{ kept: transport.kept }}>
          <App views={views} tools={<ShareButton />}>
            <Tour />
          </App>
        </PlaygroundContext.Provider>
      </ClientContext.Provider>,
      root,
    );
    keepOffline();
  } catch (error) {
    render(
      <main class="starting">
        <ErrorBox title="The engine could not be started" error={error} />
      </main>,
      root,
    );
  }
}

void start();
