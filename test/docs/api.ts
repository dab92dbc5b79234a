import type { Engine } from '../../host/engine/engine.js';
import { EVERYWHERE, PARAMETERS } from '../../host/rest/parameters.js';
import { routeFamilies } from '../../host/rest/routes.js';
import { table } from './compatibility.js';

const TAGS = { core: 'every client', common: 'most tools', full: 'some tools' };

/** The page of all endpoints, from the route table. */
export function apiPage(): string {
  // Handlers want an engine only when they are called.
  const families = routeFamilies(undefined as unknown as Engine, { node: '', cluster: '', version: '' });
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  const sections = families.map(({ name, purpose, tag, routes }) => {
    const { read, idle = [] } = PARAMETERS[name]!;
    const used = read.length === 0 ? '' : `\nParameters: ${list(read)}.\n`;
    const taken = idle.length === 0 ? '' : `\nTaken, and without effect on one node: ${list(idle)}.\n`;
    return `## ${name}\n\n${purpose} Used by ${TAGS[tag]}.\n\n${table(routes, true)}\n${used}${taken}`;
  });
  return `# The interface

Every endpoint, generated from the route table (\`npm run docs\`); the test suite fails when it is out of date. What the bodies are is
told by the documentation of Elasticsearch 1.7; [compatibility.md](compatibility.md) tells where Resilin differs.

All endpoints read ${list(EVERYWHERE)}; parameters that they don't know are read over. The parts \`{index}\`, \`{type}\`, \`{id}\` and
\`{name}\` of a path may be parameters instead. Where a body is wanted with GET, POST does too.
Where a server has users ([security.md](security.md)), the last column tells what a call asks of them.
\`{index}\` is a comma list of names, aliases and wildcards wherever more than one index makes sense, \`{type}\` a comma list of types.

${sections.join('\n')}`;
}
