/** Looks at this node's disk now and then, tells the other nodes how full it is, and has copies go where it is too full. */
import { ownValue } from '../ownNames.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import type { Clock } from '../time/clock.js';
import { parseTime } from '../time/durations.js';
import { type DiskSpace, type FullDisk, fullDisk, watermarksOf } from './diskWatermarks.js';
import type { NodeDetails } from './nodes.js';

/** What it needs of the node. */
export interface DiskWatchContext {
  clock: Clock;
  /** Undefined where that isn't known. */
  disk(): DiskSpace | undefined;
  /** The settings of the cluster. */
  settings(): Readonly<FlatSettings>;
  tell(details: Pick<NodeDetails, 'disk' | 'fullDisk'>): Promise<void>;
  /** Has a copy go to another node, where one may. */
  evict(): Promise<void>;
  warn(message: string): void;
}

const INTERVAL = 'cluster.info.update.interval';
const DEFAULT = '30s';
const LEAST_MS = 1000;
/** Others are told where another share of the disk is free, or where that decides something. */
const TOLD_SHARE = 0.01;

export class DiskWatch {
  readonly #context: DiskWatchContext;
  #told: DiskSpace | undefined;
  #full: FullDisk | undefined;
  #cancel = () => {};
  #isOver = false;
  #isLooking = false;

  constructor(context: DiskWatchContext) {
    this.#context = context;
  }

  /** What the node says of its disk when it joins. */
  first(): Pick<NodeDetails, 'disk' | 'fullDisk'> {
    this.#look();
    return this.#said;
  }

  start(): void {
    this.#later();
  }

  /** Settings may have changed: looks at once. */
  again(): void {
    if (this.#isOver || this.#told === undefined) return;
    this.#cancel();
    this.#cancel = this.#context.clock.after(0, () => void this.#lookOn());
  }

  close(): void {
    this.#isOver = true;
    this.#cancel();
  }

  get #said(): Pick<NodeDetails, 'disk' | 'fullDisk'> {
    return this.#told === undefined ? {} : { disk: this.#told, fullDisk: this.#full };
  }

  #later(): void {
    if (this.#isOver) return;
    const ms = parseTime(ownValue(this.#context.settings(), INTERVAL) ?? DEFAULT);
    this.#cancel();
    this.#cancel = this.#context.clock.after(Math.max(LEAST_MS, ms), () => void this.#lookOn());
  }

  async #lookOn(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { tell, evict, warn } = this.#context;
    try {
      if (this.#look()) await tell(this.#said);
      if (this.#full === 'high' && !this.#isOver) await evict();
    } catch (e) {
      if (!this.#isOver) warn(`looking after the disk: ${(e as Error).message}`);
    } finally {
      this.#isLooking = false;
      this.#later();
    }
  }

  /** Whether there is something to tell. */
  #look(): boolean {
    const { disk, settings, warn } = this.#context;
    const now = disk();
    if (now === undefined) return false;
    const watermarks = watermarksOf(settings());
    const full = watermarks === undefined ? undefined : fullDisk(now, watermarks, this.#full);
    const before = this.#told;
    const isNew = before === undefined || full !== this.#full;
    if (full !== this.#full)
      warn(
        full === undefined
          ? 'the disk is below its watermarks again'
          : `the disk is above its ${full} watermark: ${full === 'low' ? 'no more copies come' : 'copies go to other nodes'}`,
      );
    this.#full = full;
    const moved = before === undefined ? 0 : Math.abs(now.free - before.free);
    if (!isNew && now.total === before.total && moved < TOLD_SHARE * now.total) return false;
    this.#told = now;
    return true;
  }
}
