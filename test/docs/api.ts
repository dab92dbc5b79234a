import { COMMON_PARAMETERS, type EndpointGroup, MASTER_TIMEOUTS } from '../../host/rest/endpoint.js';
import { ENDPOINT_GROUPS } from '../../host/rest/routes.js';
import { table } from './compatibility.js';

const TAGS = { core: 'every client', common: 'most tools', full: 'some tools' };

const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** What the parameters of a group's endpoints are, each said once of all endpoints that have the same. */
function parametersOf({ endpoints }: EndpointGroup): string {
  const said = new Map<string, string[]>();
  for (const { methods, paths, parameters, ignored = [], masterTimeout } of endpoints) {
    const none = [...new Set([...ignored, ...(masterTimeout ? MASTER_TIMEOUTS : [])])];
    const lines = [
      ...(parameters.length === 0 ? [] : [`${list(parameters)}.`]),
      ...(none.length === 0 ? [] : [`Taken, and without effect on one node: ${list(none)}.`]),
    ];
    const text = lines.length === 0 ? 'none.' : lines.join('\n\n');
    said.set(text, [...(said.get(text) ?? []), `\`${methods.join('|')} ${paths[0]}\``]);
  }
  if (said.size === 1) return `Parameters: ${[...said.keys()][0]}\n`;
  const items = [...said].map(([text, which]) => `- ${which.join(', ')}: ${text.replace('\n\n', ' ')}\n`);
  return `Parameters:\n\n${items.join('')}`;
}

/** The page of all endpoints, from their descriptors. */
export function apiPage(): string {
  const sections = ENDPOINT_GROUPS.map((group) => {
    const { name, purpose, tag, endpoints } = group;
    const head = `## ${name}\n\n${purpose} Used by ${TAGS[tag]}.`;
    return `${head}\n\n${table(endpoints, true)}\n\n${parametersOf(group)}`;
  });
  return `# The interface

Every endpoint, generated from the endpoints' descriptors (\`npm run docs\`); the test suite fails when it is out of date. What the
bodies are is told by the documentation of Elasticsearch 1.7; [compatibility.md](compatibility.md) tells where Resilin differs.

All endpoints read ${list(COMMON_PARAMETERS)};
parameters that they don't know are read over. Where endpoints of a section have different ones, each is named by its first path.
The parts \`{index}\`, \`{type}\`, \`{id}\` and \`{name}\` of a path may be parameters instead. Where a body is wanted with GET,
POST does too. Where a server has users ([security.md](security.md)), the last column tells what a call asks of them.
\`{index}\` is a comma list of names, aliases and wildcards wherever more than one index makes sense, \`{type}\` a comma list of types.

${sections.join('\n')}`;
}
