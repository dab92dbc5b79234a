import { createEngine, type Resilin } from '../../host/index.js';
import type { Clock } from '../../host/time/clock.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { type Layout, requestsOf } from './layouts.js';
import { bodyOf, type Request } from './request.js';
import type { World } from './world.js';

export interface Answer {
  status: number;
  text: string;
}

/** Time stands still, so that `now` is the same for all. */
const clock: Clock = { now: () => 1_400_000_000_000, after: () => () => {} };

/** An engine with one index in one layout. */
export class Built {
  readonly #module: WebAssembly.Module;
  readonly #storage = new MemoryStorage();
  readonly #blobs = new MemoryBlobs();
  #engine: Resilin | undefined;

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  static async build(module: WebAssembly.Module, world: World, layout: Layout): Promise<Built> {
    const built = new Built(module);
    await built.#open();
    for (const sent of requestsOf(world, layout)) {
      if (sent === 'restart') await built.close();
      if (sent === 'restart' || sent === 'crash') {
        await built.#open();
        continue;
      }
      const { status, text } = await built.#send(sent.method, sent.uri, sent.body);
      if (status >= 300 || /"errors":true/.test(text))
        throw new Error(
          `${layout.name} of world ${world.seed}: ${sent.method} ${sent.uri} is refused: ${text}`,
        );
    }
    return built;
  }

  /** Answers a request; all pages of a scroll, one after the other. */
  async ask(request: Request): Promise<Answer> {
    const { method, uri } = request;
    const first = await this.#send(method, uri, bodyOf(request));
    if (!uri.includes('scroll=') || first.status !== 200) return first;
    const pages = [first.text];
    for (let page = first; ; pages.push(page.text)) {
      const id = /"_scroll_id":"([^"]+)"/.exec(page.text)?.[1];
      if (id === undefined || pages.length > 1000) break;
      page = await this.#send('POST', '/_search/scroll?scroll=1m', id);
      if (page.status !== 200 || page.text.includes('"hits":[]')) break;
    }
    return { status: 200, text: pages.join('\n') };
  }

  async close(): Promise<void> {
    await this.#engine?.close();
    this.#engine = undefined;
  }

  async #open(): Promise<void> {
    this.#engine = await createEngine({
      wasm: this.#module,
      storage: this.#storage,
      blobs: this.#blobs,
      clock,
      warn: () => {},
    });
  }

  async #send(method: string, uri: string, body?: string): Promise<Answer> {
    const answer = await this.#engine!.handle(method, uri, new TextEncoder().encode(body ?? ''));
    return { status: answer.status, text: new TextDecoder().decode(answer.body) };
  }
}
