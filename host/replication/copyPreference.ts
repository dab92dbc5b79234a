/** Which copies of shards a request prefers: `preference` of 1.7. */
import type { OpenIndex } from '../metadata/openIndex.js';
import type { CopyChoice } from '../search/chosenShards.js';

/** What is asked about the cluster. */
interface Copies {
  /** The id of this node. */
  readonly self: string;
  /** The nodes with a copy of a shard, whoever is asked in the same order, that of the primary first. */
  searchableCopiesOf(index: OpenIndex, shard: number): readonly { id: string }[];
}

/**
 * The choice that a preference makes among the copies of a shard; undefined where it makes none.
 * @param preference without the shards that it may begin with
 */
export function copyChoice(copies: Copies, preference: string): CopyChoice | undefined {
  // A node prefers its own copies by itself.
  if (preference === '' || preference === '_local') return undefined;
  const [name = '', node = ''] = preference.split(':');
  const { self } = copies;
  return (index, shard) => {
    const ids = copies.searchableCopiesOf(index, shard).map(({ id }) => id);
    const others = (first: string) =>
      ids.includes(first) ? [first, ...ids.filter((id) => id !== first)] : ids;
    switch (name) {
      case '_primary':
        return ids.slice(0, 1);
      case '_primary_first':
      case '_primaryFirst':
        return ids;
      case '_only_local':
      case '_onlyLocal':
        return ids.filter((id) => id === self);
      case '_only_node':
        return ids.filter((id) => id === node);
      case '_prefer_node':
        return others(node);
      default: {
        // The same copies for the same text, whichever node is asked.
        const first = ids.length === 0 ? 0 : hashOf(preference) % ids.length;
        return [...ids.slice(first), ...ids.slice(0, first)];
      }
    }
  };
}

function hashOf(text: string): number {
  let hash = 5381;
  for (let i = 0; i < text.length; i++) hash = (hash * 33 + text.charCodeAt(i)) >>> 0;
  return hash;
}
