/** Completion of a request's first line: methods, paths, parameters. */
import type { ServerNames } from '../../dsl/knownNames';
import type { DslTables } from '../../dsl/tables';
import { METHODS } from './notation';

export interface PathOffer {
  text: string;
  detail: string;
}

/** What may stand at the end of a line that is being written: where that part begins in the line, and what it can be. */
export function pathOffers(
  line: string,
  { endpoints, commonParameters }: DslTables,
  names: ServerNames,
): { from: number; offers: PathOffer[] } | undefined {
  const head = /^\s*([A-Za-z]*)$/.exec(line);
  if (head !== null) {
    const offers = METHODS.map((text) => ({ text, detail: '' }));
    return { from: line.length - head[1]!.length, offers };
  }
  const written = /^\s*([A-Za-z]+)[ \t]+(\S*)$/.exec(line);
  if (written === null) return undefined;
  const method = written[1]!.toUpperCase();
  const path = written[2]!;
  const offered = endpoints.filter(({ methods }) => methods.includes(method));
  const question = path.indexOf('?');
  if (question >= 0) {
    const parts = partsOf(path.slice(0, question));
    const found = offered.filter(({ paths }) => paths.some((each) => fits(partsOf(each), parts, true)));
    const parameters = [...new Set([...found.flatMap((each) => each.parameters), ...commonParameters])];
    const from = Math.max(path.lastIndexOf('&'), question) + 1;
    if (path.slice(from).includes('=')) return undefined;
    const before = new Set(new URLSearchParams(path.slice(question + 1, from)).keys());
    return {
      from: line.length - path.length + from,
      offers: parameters.filter((text) => !before.has(text)).map((text) => ({ text, detail: 'parameter' })),
    };
  }
  const parts = partsOf(path.startsWith('/') ? path : `/${path}`);
  const typed = parts.at(-1) ?? '';
  const above = parts.slice(0, -1);
  const offers = new Map<string, string>();
  for (const { paths } of offered)
    for (const each of paths) {
      const template = partsOf(each);
      const next = template[above.length];
      if (next === undefined || next === '' || !fits(template.slice(0, above.length), above, true)) continue;
      for (const [text, detail] of textsOf(next, names)) {
        if (!offers.has(text)) offers.set(text, detail);
      }
    }
  return {
    from: line.length - typed.length,
    offers: [...offers].map(([text, detail]) => ({ text, detail })),
  };
}

/** The parts of a path: `/books/_search` has two. */
function partsOf(path: string): string[] {
  return path.replace(/^\//, '').split('/');
}

/** Whether parts are those of a template. What begins with `_` is no name. */
function fits(template: readonly string[], parts: readonly string[], isWhole: boolean): boolean {
  if (isWhole && template.length !== parts.length) return false;
  return template.every((part, i) => {
    const given = parts[i] ?? '';
    if (!part.startsWith('{')) return part === given;
    return given !== '' && (!given.startsWith('_') || given === '_all');
  });
}

function textsOf(part: string, { indices, aliases, types }: ServerNames): [string, string][] {
  if (part === '{index}')
    return [
      ...indices.map((name): [string, string] => [name, 'index']),
      ...aliases.map((name): [string, string] => [name, 'alias']),
    ];
  if (part === '{type}') return types.map((name) => [name, 'type']);
  return part.startsWith('{') ? [] : [[part, part.startsWith('_') ? 'endpoint' : '']];
}
