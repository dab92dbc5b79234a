import { outOfBounds } from '../../compat17/javaCasts.js';
import { ElasticsearchError, illegalArgument, javaArgument, numberFormat } from '../../errors.js';
import { StageKind } from '../../core/abi/stages.js';
import { type CharFilterPart, corePart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';

/** 1.7 reads each side of a rule into an array of this many characters. */
const MAX_LENGTH = 256;

const utf8 = new TextEncoder();

/** Rules `matched => replacement`, with escapes in both. */
export function mappingCharFilter(settings: DefinitionSettings): CharFilterPart {
  const rules = settings.list('mappings');
  if (rules === undefined) {
    throw illegalArgument('mapping requires either `mappings` or `mappings_path` to be configured');
  }
  const mappings = new Map<string, string>();
  for (const rule of rules) {
    const sides = /^(.*)\s*=>\s*(.*)\s*$/.exec(rule);
    if (sides === null) throw new ElasticsearchError('RuntimeException', `Invalid Mapping Rule : [${rule}]`);
    const matched = resolveEscapes(trim(sides[1]!));
    if (matched === '') throw javaArgument('cannot match the empty string');
    if (mappings.has(matched)) {
      throw javaArgument(`match "${matched}" was already added`);
    }
    mappings.set(matched, resolveEscapes(trim(sides[2]!)));
  }
  return encode(mappings);
}

/** The part of the core; `assembly/analysis/charFilters/mapping.ts` draws its arguments. */
function encode(mappings: ReadonlyMap<string, string>): CharFilterPart {
  const entries = [...mappings].map(([matched, replacement]) => ({
    matched,
    replacement,
    bytes: utf8.encode(matched),
    replacementBytes: utf8.encode(replacement),
  }));
  entries.sort((a, b) => compareBytes(a.bytes, b.bytes));
  return corePart(StageKind.mapping, (args) => {
    args.u32(entries.length);
    let offset = 0;
    for (const entry of entries) {
      args.u32(offset);
      offset += 12 + entry.bytes.length + entry.replacementBytes.length;
    }
    args.u32(offset);
    for (const { matched, replacement, bytes, replacementBytes } of entries) {
      args.u32(bytes.length).u32(matched.length).u32(replacement.length).raw(bytes).raw(replacementBytes);
    }
  });
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return a.length - b.length;
}

/** Java's trim. */
function trim(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) <= 0x20) ++from;
  while (from < to && text.charCodeAt(to - 1) <= 0x20) --to;
  return text.slice(from, to);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Resolves backslash escapes: \n, \t, \r, \b, \f, four hexadecimal digits after \u; any other character stands for itself. */
function resolveEscapes(text: string): string {
  const invalid = () => new ElasticsearchError('RuntimeException', `Invalid escaped char in [${text}]`);
  let out = '';
  for (let i = 0; i < text.length; i++) {
    let c = text[i]!;
    if (c === '\\') {
      if (++i >= text.length) throw invalid();
      c = text[i]!;
      if (c === 'u') {
        if (i + 4 >= text.length) throw invalid();
        const digits = text.slice(i + 1, i + 5);
        if (!/^[+-]?[0-9a-fA-F]+$/.test(digits)) {
          throw numberFormat(digits);
        }
        c = String.fromCharCode(Number.parseInt(digits, 16));
        i += 4;
      } else {
        c = ESCAPES[c] ?? c;
      }
    }
    out += c;
    if (out.length > MAX_LENGTH) throw outOfBounds(MAX_LENGTH, MAX_LENGTH);
  }
  return out;
}
