/** The console over HTTP: from the server that it comes from, or from one whose address is typed. */
import { render } from 'preact';
import { Client } from './api/client';
import { HttpTransport } from './api/httpTransport';
import { App } from './app/App';
import { ClientContext } from './app/context';
import { applyTheme } from './app/theme';
import { VIEWS } from './app/views';
import './styles/index.css';

applyTheme();

const client = new Client(new HttpTransport());

render(
  <ClientContext.Provider value={client}>
    <App views={VIEWS} />
  </ClientContext.Provider>,
  document.querySelector('#app')!,
);
