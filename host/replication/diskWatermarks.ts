/** How full disks of nodes may be, as settings of the cluster say: above the low watermark a node gets no more copies, above the high one some go. */
import { isFalse } from '../numbers/javaBooleans.js';
import { ownValue } from '../ownNames.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import { parseSize } from '../settings/sizes.js';

/** The disk that a node's data are on, in bytes. */
export interface DiskSpace {
  total: number;
  free: number;
}

/** What has to be free: so much of a hundred, and so many bytes. One of both is zero. */
export interface Watermark {
  percent: number;
  bytes: number;
}

export interface Watermarks {
  low: Watermark;
  high: Watermark;
}

/** The watermark that a disk is above; undefined for none. */
export type FullDisk = 'low' | 'high';

const DISK = 'cluster.routing.allocation.disk.';
const DEFAULT = { low: '85%', high: '90%' };
/** A disk is above a watermark until so much more than that is free, of all of it: it doesn't go to and fro. */
const SLACK_PERCENT = 1;

/** The watermarks; undefined where settings say that none counts. */
export function watermarksOf(settings: Readonly<FlatSettings>): Watermarks | undefined {
  const enabled = ownValue(settings, `${DISK}threshold_enabled`);
  if (enabled !== undefined && isFalse(enabled)) return undefined;
  const of = (which: FullDisk) => {
    const given = ownValue(settings, `${DISK}watermark.${which}`);
    return parseWatermark(given ?? '') ?? parseWatermark(DEFAULT[which])!;
  };
  return { low: of('low'), high: of('high') };
}

/** A share of the disk that may be used, `85%` or `0.85`, or bytes that must be free, `500mb`. */
function parseWatermark(text: string): Watermark | undefined {
  const [, number, percent] = /^\s*(\d+(?:\.\d+)?)(%?)\s*$/.exec(text) ?? [];
  if (number !== undefined) {
    const used = percent === '%' ? Number(number) : 100 * Number(number);
    return used <= 100 ? { percent: 100 - used, bytes: 0 } : undefined;
  }
  const bytes = parseSize(text, 0);
  return bytes === undefined || bytes < 0 ? undefined : { percent: 0, bytes };
}

/** So much of a hundred is free. */
export function freePercent({ total, free }: DiskSpace): number {
  return total <= 0 ? 100 : (100 * free) / total;
}

/** Whether less is free than a watermark wants. */
export function isAbove(disk: DiskSpace, { percent, bytes }: Watermark): boolean {
  return disk.free < bytes || freePercent(disk) < percent;
}

/**
 * The watermark that a disk is above.
 * @param before what it was above before: it is until there is some more room
 */
export function fullDisk(
  disk: DiskSpace,
  { low, high }: Watermarks,
  before: FullDisk | undefined,
): FullDisk | undefined {
  const slack = { ...disk, free: disk.free - (SLACK_PERCENT / 100) * disk.total };
  if (isAbove(before === 'high' ? slack : disk, high)) return 'high';
  return isAbove(before === undefined ? disk : slack, low) ? 'low' : undefined;
}
