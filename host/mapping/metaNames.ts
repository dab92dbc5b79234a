/** Fields of a document that are about it and not in it. */
export const META: ReadonlySet<string> = new Set([
  '_id',
  '_type',
  '_index',
  '_uid',
  '_routing',
  '_parent',
  '_timestamp',
  '_ttl',
  '_size',
  '_source',
  '_all',
  '_field_names',
  '_version',
  '_boost',
  '_analyzer',
]);
