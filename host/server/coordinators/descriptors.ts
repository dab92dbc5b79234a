/**
 * Descriptors of a listening socket for further threads. Each needs one of its own: a thread closes the one that it listens to when it ends,
 * and with it the socket for all that have the same. Node duplicates a descriptor only on its way to another process, so it goes to a process
 * that sends it back.
 */
import { spawn } from 'node:child_process';
import type { Server } from 'node:net';

/** What a listening server has. */
interface Handle {
  readonly fd: number;
}

/** Sends back what it is sent; it ends with its parent. */
const ECHO = "process.on('message', (message, handle) => process.send(message, handle))";
/** Milliseconds that it may take. */
const LATEST_MS = 10_000;

/** The handles that descriptors came in: they are never closed, since the threads do that. */
const kept: Handle[] = [];

/** So many duplicates of the descriptor of a server that listens. */
export function duplicates(server: Server, count: number): Promise<number[]> {
  const { _handle: handle } = server as Server & { _handle?: Handle };
  if (handle === undefined || handle.fd < 0) return Promise.reject(new Error('there is no descriptor'));
  return new Promise((resolve, reject) => {
    const echo = spawn(process.execPath, ['-e', ECHO], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {},
    });
    const found: number[] = [];
    const end = (done: () => void) => {
      clearTimeout(timer);
      echo.removeAllListeners();
      echo.kill('SIGKILL');
      done();
    };
    const timer = setTimeout(() => end(() => reject(new Error('it takes too long'))), LATEST_MS);
    echo.on('error', (e) => end(() => reject(e)));
    echo.on('exit', (code) => end(() => reject(new Error(`a process ended with ${code}`))));
    echo.on('message', (_message, duplicate: unknown) => {
      const { fd = -1 } = (duplicate ?? {}) as Partial<Handle>;
      if (fd < 0) {
        end(() => reject(new Error('no descriptor came back')));
        return;
      }
      kept.push(duplicate as Handle);
      found.push(fd);
      if (found.length === count) end(() => resolve(found));
    });
    // A handle goes as it is; a server would listen on its way.
    for (let i = 0; i < count; i++) echo.send({}, handle as unknown as Server);
  });
}
