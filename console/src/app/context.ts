/** What every view is given. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Client } from '../api/client';

export const ClientContext = createContext<Client | undefined>(undefined);

/** The client of the page. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === undefined) throw new Error('a view needs a client');
  return client;
}
