/** What views of the playground know of its engine. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Kept } from './engineTransport';

export const PlaygroundContext = createContext<{ kept: Kept }>({ kept: 'memory' });

/** Where the documents of the engine are kept. */
export function useKept(): Kept {
  return useContext(PlaygroundContext).kept;
}
