import { type ChecksummedMessage, type Place, checksumOf } from './checksum.js';
import { LogDiffers } from './errors.js';

/** Positions whose checksums a reader remembers: what writers name lies less far back, or isn't checked. */
const REMEMBERED = 4096;

/** What one reader has read of a log last, to notice when the log has another history. */
export class ReadPlaces {
  readonly #log: string;
  readonly #checksums = new Map<number, number>();
  #last: Place | undefined;

  /** @param start where it begins, when it has read there before */
  constructor(log: string, start?: Place) {
    this.#log = log;
    if (start) this.#remember(start);
  }

  /** The last place, the one it began at if it has read nothing since; none where nothing is known. */
  get last(): Place | undefined {
    return this.#last;
  }

  /** Whether the writer of a message had read another one at a place than this reader. */
  differs({ link, position }: Pick<ChecksummedMessage, 'link' | 'position'>): boolean {
    if (link === undefined) return false;
    const seen = this.#checksums.get(link.position);
    return link.position >= position || (seen !== undefined && seen !== link.checksum);
  }

  /**
   * Takes a message that was read; returns its checksum.
   * @throws LogDiffers when its writer had read another message at a place than this reader
   */
  take(message: ChecksummedMessage): number {
    const { link, position } = message;
    if (this.differs(message)) throw new LogDiffers(this.#log, Math.min(link!.position, position));
    const checksum = checksumOf(message);
    this.#remember({ position, checksum });
    return checksum;
  }

  #remember(place: Place): void {
    this.#last = place;
    this.#checksums.set(place.position, place.checksum);
    if (this.#checksums.size > REMEMBERED)
      for (const oldest of this.#checksums.keys()) return void this.#checksums.delete(oldest);
  }
}
