/** Documents that are moved together: those of an index, or its percolator queries, which no search finds that doesn't name them. */
import type { Hit } from '../remote/hits.js';
import { PERCOLATOR, type ScrollOptions } from '../remote/scroll.js';
import { type Inventory, OLD_PERCOLATOR, type OldIndex } from './inventory.js';

/** Where documents are on one of the servers; an undefined type stands for all but percolator queries. */
export interface PlaceOfDocuments {
  index: string;
  type: string | undefined;
}

export interface Part {
  there: PlaceOfDocuments;
  here: PlaceOfDocuments;
  /** How the old server is read. */
  reading: Pick<ScrollOptions, 'hasStoredFieldsOnly'>;
}

/** The parts of an index. */
export function partsOf({ name, mappings }: OldIndex, inventory: Inventory): Part[] {
  const reading = { hasStoredFieldsOnly: inventory.isBeforeOne };
  const all = { index: name, type: undefined };
  const parts: Part[] = [{ there: all, here: all, reading }];
  const queries = { index: name, type: PERCOLATOR };
  if (Object.hasOwn(mappings, PERCOLATOR)) parts.push({ there: queries, here: queries, reading });
  if (inventory.hasPercolatorIndex)
    parts.push({ there: { index: OLD_PERCOLATOR, type: name }, here: queries, reading });
  return parts;
}

/** A document of a place, as one of another place. */
export function movedHit(hit: Hit, to: PlaceOfDocuments): Hit {
  if (to.type === undefined || hit.metadata.get('_type') === JSON.stringify(to.type)) return hit;
  return { ...hit, metadata: new Map(hit.metadata).set('_type', JSON.stringify(to.type)) };
}
