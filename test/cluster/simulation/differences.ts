/** What the nodes of a simulated cluster don't agree on. */
import { WORDS } from './clients.js';
import type { SimulatedNode } from './simulatedNode.js';

const METADATA = ['/_mapping', '/_aliases', '/_template', '/_cluster/settings', '/_settings'];
/** Scores of every word, and all documents. Nothing is analyzed for them: that would take longer than the searches. */
const QUERIES = [
  { bool: { should: WORDS.map((word) => ({ term: { text: word } })) } },
  { match_all: {} },
].map((query) => JSON.stringify({ query, size: 100, version: true }));

const decoder = new TextDecoder();

/** A text for each thing that a node holds or answers in another way than others; all of them after merging, so that scores are equal too. */
export async function differencesOf(nodes: readonly SimulatedNode[]): Promise<string[]> {
  // A flush waits for a copy that is being handed over, for 60 s at most where its end was lost.
  const optimize = () => nodes[0]!.call('POST', '/_optimize?max_num_segments=1');
  let optimized = await optimize();
  for (let i = 0; i < 3 && optimized.status === 503; i++) optimized = await optimize();
  if (optimized.status !== 200) return [`no optimizing: ${JSON.stringify(optimized.body)}`];
  const views = await Promise.all(nodes.map((node) => viewOf(node)));
  const names = new Set(views.flatMap((view) => [...view.keys()]));
  return [...names].flatMap((name) => {
    const seen = nodes.flatMap(({ id }, i) => {
      const text = views[i]!.get(name);
      return text === undefined ? [] : [{ id, text }];
    });
    const [first, ...others] = seen;
    return others.flatMap(({ id, text }) =>
      text === first!.text
        ? []
        : [`${id} differs from ${first!.id} in ${name}:\n  ${text}\n  ${first!.text}`],
    );
  });
}

/** All that a node holds and answers, as texts. */
async function viewOf(node: SimulatedNode): Promise<Map<string, string>> {
  const view = new Map<string, string>();
  for (const path of METADATA) view.set(path, (await node.written('GET', path)).text);
  for (const index of node.engine.cluster.all()) {
    for (const { number, documents, isHeld } of index.shards) {
      if (!isHeld) continue;
      const rows = index.model.typeNames().flatMap((type) =>
        [...documents.idsOf(type)].map((id) => {
          const { source, ...rest } = documents.committed(type, id)!;
          return JSON.stringify({ ...rest, source: decoder.decode(source) });
        }),
      );
      view.set(`${index.name}/${number}`, rows.join('\n'));
    }
    if (index.closed) continue;
    for (const query of QUERIES) {
      const { status, body } = await node.call('POST', `/${index.name}/_search`, query);
      view.set(`${index.name}?${query}`, `${status} ${JSON.stringify(body.hits ?? body)}`);
    }
  }
  return view;
}
