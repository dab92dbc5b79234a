/** What the settings of an index and of the cluster forbid. */
import { ElasticsearchError } from '../errors.js';
import { isFalse } from '../numbers/javaBooleans.js';
import type { FlatSettings } from './indexSettings.js';

/** What is forbidden: searching and getting, writing documents, looking at the indices themselves, and changing those. */
export type Block = 'read' | 'write' | 'metadata_read' | 'metadata_write';

/** A block as the state of the cluster shows it. */
export interface ShownBlock {
  id: number;
  description: string;
  levels: readonly Block[];
}

interface BlockSetting extends ShownBlock {
  setting: string;
}

const CLUSTER_READ_ONLY: BlockSetting = {
  setting: 'cluster.blocks.read_only',
  id: 6,
  description: 'cluster read-only (api)',
  levels: ['write', 'metadata_write'],
};

const BLOCKS: readonly BlockSetting[] = [
  {
    setting: 'index.blocks.read_only',
    id: 5,
    description: 'index read-only (api)',
    levels: ['write', 'metadata_write'],
  },
  { setting: 'index.blocks.read', id: 7, description: 'index read (api)', levels: ['read'] },
  { setting: 'index.blocks.write', id: 8, description: 'index write (api)', levels: ['write'] },
  {
    setting: 'index.blocks.metadata',
    id: 9,
    description: 'index metadata (api)',
    levels: ['metadata_read', 'metadata_write'],
  },
];

function isUp(flat: FlatSettings, { setting }: BlockSetting): boolean {
  const value = flat[setting];
  return value !== undefined && !isFalse(value);
}

const shown = ({ id, description, levels }: BlockSetting): ShownBlock => ({ id, description, levels });
const said = ({ id, description }: BlockSetting) => `[FORBIDDEN/${id}/${description}];`;

/** The blocks that an index's settings put up. */
export function blocksOf(flat: FlatSettings): ShownBlock[] {
  return BLOCKS.filter((block) => isUp(flat, block)).map(shown);
}

/** The cluster's settings, as far as they forbid anything. */
export class ClusterBlocks {
  #readOnly = false;

  /** From now on they are these; either of the two puts a block up. */
  set(persistent: FlatSettings, transient: FlatSettings): void {
    this.#readOnly = isUp(persistent, CLUSTER_READ_ONLY) || isUp(transient, CLUSTER_READ_ONLY);
  }

  /** The blocks that are up. */
  get shown(): ShownBlock[] {
    return this.#readOnly ? [shown(CLUSTER_READ_ONLY)] : [];
  }

  /** 403: what is forbidden in an index of these settings; undefined if it isn't. Asked for each document that is written. */
  error(flat: FlatSettings, what: Block): ElasticsearchError | undefined {
    let list = this.#readOnly && CLUSTER_READ_ONLY.levels.includes(what) ? said(CLUSTER_READ_ONLY) : '';
    for (const block of BLOCKS) if (isUp(flat, block) && block.levels.includes(what)) list += said(block);
    if (list === '') return undefined;
    return new ElasticsearchError('ClusterBlockException', `blocked by: ${list}`);
  }

  /** Refuses what the cluster forbids everywhere. */
  check(what: Block): void {
    const error = this.error({}, what);
    if (error !== undefined) throw error;
  }
}
