/** A data folder that no server uses: an engine in this process takes the requests. What it answers is on disk, as with a server. */
import { type FolderEngine, openFolderEngine } from '../../server/folderEngine.js';
import type { Answer, Requests } from './requests.js';

const NOTHING = new Uint8Array(0);

export class Folder implements Requests {
  readonly name: string;
  readonly #engine: FolderEngine;

  private constructor(name: string, engine: FolderEngine) {
    this.name = name;
    this.#engine = engine;
  }

  /**
   * Opens a folder, or makes it. Throws where a server has it.
   * @param path as messages have it
   * @param warn is told of what an operator should know
   */
  static async open(path: string, warn: (message: string) => void): Promise<Folder> {
    return new Folder(path, await openFolderEngine(path, warn));
  }

  async send(method: string, path: string, body?: Uint8Array | string): Promise<Answer> {
    // The caller may fill its buffer again.
    const bytes = typeof body === 'string' ? Buffer.from(body) : Uint8Array.from(body ?? NOTHING);
    const answer = await this.#engine.handle(method, path, bytes);
    return { status: answer.status, body: Buffer.from(answer.body) };
  }

  /** Makes everything durable, and lets go of the folder. */
  close(): Promise<void> {
    return this.#engine.close();
  }
}
