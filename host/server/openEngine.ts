/** The engine over a data folder and data workers; where it can't be opened, all of them are let go. */
import { getHeapStatistics } from 'node:v8';
import { Engine, type EngineServices } from '../engine/engine.js';
import { wallClock } from '../time/clock.js';

/** What both a server and a command open an engine with. */
type Given = Omit<EngineServices, 'clock' | 'memory' | 'background'>;

/** @param release lets go of the folder */
export async function openEngine(services: Given, release: () => void): Promise<Engine> {
  const { heap_size_limit: memory } = getHeapStatistics();
  try {
    return await Engine.open({ ...services, clock: wallClock, memory, background: true });
  } catch (e) {
    await services.transport.close();
    await services.storage.close();
    release();
    throw e;
  }
}
