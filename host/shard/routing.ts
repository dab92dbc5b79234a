/** The shard that a document lives in: DJB2 of its routing value, or else of its id, as in 1.x. */
export function shardOf(routing: string, shards: number): number {
  let hash = 5381;
  for (let i = 0; i < routing.length; i++) hash = (Math.imul(hash, 33) + routing.charCodeAt(i)) | 0;
  return Math.abs(hash % shards);
}
