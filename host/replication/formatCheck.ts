/** Telling nodes apart that know no format in common of what nodes tell each other. */
import { ClusterError } from '../cluster/errors.js';
import type { Formats } from './formats.js';
import type { ClusterNode, Nodes } from './nodes.js';

/** Another node knows none of the formats of this one. */
export class FormatsDiffer extends ClusterError {
  override readonly name = 'FormatsDiffer';
}

/** Why a node can't be in a cluster with another one; undefined where it can. */
function differenceOf(own: Formats, { name, version, formats }: ClusterNode): string | undefined {
  const known = `format ${own.oldest === own.newest ? own.newest : `${own.oldest} to ${own.newest}`}`;
  if (formats.oldest > own.newest)
    return `the node [${name}] has the newer version ${version}, which needs format ${formats.oldest} of what nodes tell each other; this one knows ${known}: start it with that version`;
  if (formats.newest < own.oldest)
    return `the node [${name}] has the older version ${version}, which knows format ${formats.newest} of what nodes tell each other and no newer one; this one knows ${known}: update that node first, to a version that knows both`;
  return undefined;
}

/** Throws {@link FormatsDiffer} where another living node knows none of the formats of this one. */
export function checkFormats(nodes: Nodes, own: Formats): void {
  for (const node of nodes.all) {
    const difference = node.id === nodes.self ? undefined : differenceOf(own, node);
    if (difference !== undefined) throw new FormatsDiffer(difference);
  }
}

/** Tells of nodes that come nevertheless, once of each. */
export function watchFormats(nodes: Nodes, own: Formats, warn: (message: string) => void): void {
  const told = new Set<string>();
  nodes.onChange(() => {
    for (const node of nodes.all) {
      const difference = node.id === nodes.self ? undefined : differenceOf(own, node);
      if (difference === undefined || told.has(difference)) continue;
      told.add(difference);
      warn(difference);
    }
  });
}
