/** The pages of an LMDB file: LMDB uses free ones again, but never gives them back to the file system. */

/** What `getStats` of lmdb tells. */
interface Stats {
  pageSize: number;
  lastPageNumber: number;
  root: Tree;
  free: Tree;
}

interface Tree {
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

/** Pages at the beginning of the file that tell where its trees are. */
const META_PAGES = 2;

/** Bytes of the file that are in use, and bytes that are free. */
export function pagesOf(db: { getStats(): object }): { live: number; free: number } {
  const { pageSize, lastPageNumber, root, free } = db.getStats() as Stats;
  const live = META_PAGES + pagesIn(root) + pagesIn(free);
  return { live: pageSize * live, free: pageSize * Math.max(0, lastPageNumber + 1 - live) };
}

function pagesIn({ treeBranchPageCount, treeLeafPageCount, overflowPages }: Tree): number {
  return treeBranchPageCount + treeLeafPageCount + overflowPages;
}
