/** Reads the bytes of a plan back, as a tree and as text for assertions. */

import type { Occur } from '../../host/core/abi/plan.js';
import type { Plan } from '../../host/plan/plan.js';
import type { PlanNode } from '../../host/plan/nodes.js';
import type { Rewrite } from '../../host/plan/nodes/multiTerm.js';
import { type TermMatcher, matcherText } from '../../host/plan/termMatcher.js';

/** The tree of a plan's bytes; throws on anything that is not exactly a plan. */
export function readPlan(bytes: Uint8Array): Plan {
  const reader = new Reader(bytes);
  if (reader.u32() !== 0x4e4c5052) throw new Error('bad magic');
  if (reader.u8() !== 1) throw new Error('bad version');
  const flags = reader.u8();
  if (reader.u16() !== 0) throw new Error('this reader knows no options');
  const k = reader.u32();
  const root = reader.node();
  const postFilter = flags & 1 ? reader.node() : undefined;
  reader.end();
  return { k, inOrder: (flags & 2) !== 0, root, postFilter };
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u8(): number {
    return this.#view.getUint8(this.#move(1));
  }
  u16(): number {
    return this.#view.getUint16(this.#move(2), true);
  }
  u32(): number {
    return this.#view.getUint32(this.#move(4), true);
  }
  f32(): number {
    return this.#view.getFloat32(this.#move(4), true);
  }
  term(): Uint8Array {
    const length = this.u16();
    const at = this.#move(length);
    return this.#bytes.slice(at, at + length);
  }
  list<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read);
  }
  end(): void {
    if (this.#at !== this.#bytes.length) throw new Error('bytes after the plan');
  }

  node(): PlanNode {
    const kind = this.u8();
    switch (kind) {
      case 0:
        return { kind: 'none' };
      case 1:
        return { kind: 'all', boost: this.f32() };
      case 2:
        return { kind: 'term', field: this.u16(), boost: this.f32(), term: this.term() };
      case 3: {
        const noCoord = this.u8() === 1;
        const boost = this.f32();
        const minimum = this.u16();
        const clauses = this.list(this.u16(), () => ({ occur: this.u8() as Occur, node: this.node() }));
        return { kind: 'boolean', noCoord, boost, minimum, clauses };
      }
      case 4:
        return { kind: 'constant', boost: this.f32(), node: this.node() };
      case 5:
        return { kind: 'filtered', boost: this.f32(), query: this.node(), filter: this.node() };
      case 6: {
        const [field, boost, slop] = [this.u16(), this.f32(), this.u32()];
        const positions = this.list(this.u16(), () => ({
          position: this.u32(),
          terms: this.list(this.u16(), () => this.term()),
        }));
        return { kind: 'phrase', field, boost, slop, positions };
      }
      case 7:
        return { kind: 'terms', field: this.u16(), terms: this.list(this.u32(), () => this.term()) };
      case 8:
        return { kind: 'prefix', field: this.u16(), prefix: this.term() };
      case 9: {
        const [field, flags, lower, upper] = [this.u16(), this.u8(), this.term(), this.term()];
        return {
          kind: 'range',
          field,
          lower: flags & 1 ? lower : undefined,
          upper: flags & 4 ? upper : undefined,
          includeLower: (flags & 2) !== 0,
          includeUpper: (flags & 8) !== 0,
        };
      }
      case 10: {
        const [boost, tieBreaker] = [this.f32(), this.f32()];
        return { kind: 'disMax', boost, tieBreaker, nodes: this.list(this.u16(), () => this.node()) };
      }
      case 11:
        return { kind: 'keys', keys: this.list(this.u32(), () => this.u32() + this.u32() * 0x1_0000_0000) };
      case 12:
        return { kind: 'exists', field: this.u16() };
      case 13: {
        const [field, boost, rewrite, size] = [this.u16(), this.f32(), this.u8() as Rewrite, this.u16()];
        return { kind: 'multiTerm', field, boost, rewrite, size, matcher: this.matcher() };
      }
      case 27: {
        const length = this.u32();
        const end = this.#at + length;
        const filter = this.node();
        if (this.#at !== end) throw new Error('a filter of another length');
        return filter;
      }
      default:
        throw new Error(`bad kind ${kind}`);
    }
  }

  /** Automata can't be read back. */
  matcher(): TermMatcher {
    const type = this.u8();
    if (type === 0) return { type: 'prefix', prefix: this.term() };
    if (type !== 1) throw new Error('a matcher with an automaton');
    const [flags, lower, upper] = [this.u8(), this.term(), this.term()];
    return {
      type: 'range',
      lower: flags & 1 ? lower : undefined,
      upper: flags & 4 ? upper : undefined,
      includeLower: (flags & 2) !== 0,
      includeUpper: (flags & 8) !== 0,
    };
  }

  #move(count: number): number {
    const at = this.#at;
    this.#at += count;
    if (this.#at > this.#bytes.length) throw new Error('plan is cut short');
    return at;
  }
}

const text = new TextDecoder('utf-8', { fatal: true });

/** A term as text, or as hexadecimal digits if it is none. */
export function termText(term: Uint8Array): string {
  try {
    const decoded = text.decode(term);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: encoded numbers have them
    if (!/[\u0000-\u001f]/.test(decoded)) return decoded;
  } catch {
    // not text
  }
  return `0x${[...term].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** A node on one line, such as `bool(+2:a 2:b^2 -3:c)/coord`; `fields` names the field numbers. */
export function render(node: PlanNode, fields: readonly string[] = []): string {
  const name = (field: number) => fields[field] ?? `#${field}`;
  const boost = (value: number) => (value === 1 ? '' : `^${Math.fround(value)}`);
  const show = (each: PlanNode) => render(each, fields);
  switch (node.kind) {
    case 'none':
      return 'none';
    case 'all':
      return `all${boost(node.boost)}`;
    case 'term':
      return `${name(node.field)}:${termText(node.term)}${boost(node.boost)}`;
    case 'boolean': {
      const clauses = node.clauses
        .map((clause) => `${['+', '', '-'][clause.occur]}${show(clause.node)}`)
        .join(' ');
      const minimum = node.minimum === 0 ? '' : `~${node.minimum}`;
      return `bool(${clauses})${minimum}${boost(node.boost)}${node.noCoord ? '/nocoord' : ''}`;
    }
    case 'constant':
      return `const(${show(node.node)})${boost(node.boost)}`;
    case 'filtered':
      return `filtered(${show(node.query)} | ${show(node.filter)})${boost(node.boost)}`;
    case 'phrase': {
      const parts = node.positions.map(
        ({ position, terms }) => `${position}=${terms.map(termText).join('|')}`,
      );
      return `${name(node.field)}:"${parts.join(' ')}"${node.slop === 0 ? '' : `~${node.slop}`}${boost(node.boost)}`;
    }
    case 'terms':
      return `${name(node.field)}:{${node.terms.map(termText).join(' ')}}`;
    case 'prefix':
      return `${name(node.field)}:${termText(node.prefix)}*`;
    case 'range': {
      const bound = (term: Uint8Array | undefined) => (term === undefined ? '*' : termText(term));
      const [open, close] = [node.includeLower ? '[' : '{', node.includeUpper ? ']' : '}'];
      return `${name(node.field)}:${open}${bound(node.lower)} TO ${bound(node.upper)}${close}`;
    }
    case 'disMax':
      return `max(${node.nodes.map(show).join(' ')})~${Math.fround(node.tieBreaker)}${boost(node.boost)}`;
    case 'uids':
      return `uids(${node.uids.join(' ')})`;
    case 'keys':
      return `keys(${node.keys.join(' ')})`;
    case 'exists':
      return `exists(${name(node.field)})`;
    case 'multiTerm': {
      const { field, matcher } = node;
      const set =
        matcher.type === 'prefix' || matcher.type === 'range'
          ? show({ kind: matcher.type, field, ...matcher } as PlanNode)
          : `${name(field)}:${matcherText(matcher)}`;
      return `multi(${set})${boost(node.boost)}`;
    }
    default:
      return node.kind;
  }
}
