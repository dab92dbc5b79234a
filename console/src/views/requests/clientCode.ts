/** Requests as code of the JavaScript client for 1.7 (`elasticsearch`). */

import { indented } from '../../dsl/indented';
import type { DslTables } from '../../dsl/tables';
import { takesLines } from './notation';

interface Call {
  call: string;
  parameters: Record<string, string>;
}

/** Code that sends the request. */
export function clientCode(
  address: string,
  { method, path, body }: { method: string; path: string; body: string | undefined },
  tables: DslTables,
): string {
  const [plain = '', query = ''] = path.split('?', 2);
  const found = findCall(method, plain, body !== undefined, tables);
  const own = Object.fromEntries(new URLSearchParams(query));
  const head = `const client = new elasticsearch.Client({host: ${quoted(address)}, apiVersion: '1.7'});\n\n`;
  if (found === undefined) {
    const entries = [
      `  method: ${quoted(method)},`,
      `  path: ${quoted(plain)},`,
      ...(query === '' ? [] : [`  query: ${literal(own)},`]),
      ...bodyLines(path, body),
    ];
    return `${head}const answer = await client.transport.request({\n${entries.join('\n')}\n});\n`;
  }
  const parameters = { ...found.parameters, ...camelCased(own) };
  const entries = [
    ...Object.entries(parameters).map(([name, value]) => `  ${name}: ${quoted(value)},`),
    ...bodyLines(path, body),
  ];
  const argument = entries.length === 0 ? '' : `{\n${entries.join('\n')}\n}`;
  return `${head}const answer = await client.${found.call}(${argument});\n`;
}

/** The call of the client whose path has the most fixed parts. */
function findCall(method: string, path: string, hasBody: boolean, tables: DslTables): Call | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  let best: (Call & { fixed: number }) | undefined;
  // The client sends searches with bodies as POST, whatever was written.
  const methods = new Set(hasBody && method === 'GET' ? ['GET', 'POST'] : [method]);
  if (method === 'PUT') methods.add('POST');
  for (const { call, method: sent, paths } of tables.client) {
    if (!methods.has(sent)) continue;
    if (call === 'create') continue;
    for (const template of paths) {
      const wanted = template.split('/').filter((part) => part !== '');
      if (wanted.length !== parts.length) continue;
      const parameters: Record<string, string> = {};
      let fixed = 0;
      const matches = wanted.every((part, i) => {
        const given = parts[i]!;
        if (!part.startsWith('{')) {
          fixed++;
          return part === given;
        }
        parameters[part.slice(1, -1)] = decoded(given);
        return !given.startsWith('_') || given === '_all';
      });
      if (matches && (best === undefined || fixed > best.fixed)) best = { call, parameters, fixed };
    }
  }
  return best;
}

function bodyLines(path: string, body: string | undefined): string[] {
  if (body === undefined) return [];
  if (takesLines(path)) {
    const values = body
      .trim()
      .split('\n')
      .map((line) => `    ${line},`);
    return ['  body: [', ...values, '  ],'];
  }
  return [`  body: ${indented(body).replaceAll('\n', '\n  ')},`];
}

function camelCased(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name.replace(/(?<=[a-z])_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function literal(values: Readonly<Record<string, string>>): string {
  return `{${Object.entries(values)
    .map(([name, value]) => `${/^[a-z_]\w*$/i.test(name) ? name : quoted(name)}: ${quoted(value)}`)
    .join(', ')}}`;
}
