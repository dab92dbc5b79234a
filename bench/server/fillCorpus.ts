/** A server's index of a corpus. */
import { corpusLines, type Spec } from '../search/corpus.js';
import { bulkBodies } from './bulkBodies.js';
import type { ServerProcess } from './process.js';

/** Makes the index `corpus`, of one shard and in the end one segment, of the first documents of some files. */
export async function fillCorpus(
  server: ServerProcess,
  spec: Spec,
  files: readonly string[],
  docs: number,
): Promise<void> {
  const { settings = {}, mappings = {} } = spec;
  const type = Object.keys(mappings)[0] ?? 'doc';
  const index = { ...settings, number_of_shards: 1, number_of_replicas: 0 };
  await server.json('PUT', '/corpus', { settings: index, mappings });
  for await (const body of bulkBodies(corpusLines(files, docs), spec.id ?? '_id')) {
    const answer = await server.call('POST', `/corpus/${type}/_bulk`, body);
    if (!answer.body.subarray(0, 60).includes('"errors":false')) throw new Error(String(answer.body));
  }
  await server.json('POST', '/corpus/_refresh');
  await server.json('POST', '/corpus/_optimize?max_num_segments=1');
}
