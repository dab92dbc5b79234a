import { TYPES, type Token } from '../model/standardTokenizer.js';
import type { RunChain } from '../../host/analysis/compile.js';
import { decodeTokens } from '../../host/core/result.js';
import { Status } from '../../host/core/status.js';
import { UAX_URL_EMAIL } from '../../host/core/uaxUrlEmailAutomaton.js';
import { BUILDS, type Build, coreModules, testingCore } from '../support/cores.js';

/** Exports of assembly/testing/analysis.ts. */
interface AnalysisExports {
  memory: WebAssembly.Memory;
  tokenStart(ptr: number, length: number): void;
  tokenNext(): number;
  tokenPtr: WebAssembly.Global<'i32'>;
  tokenLength: WebAssembly.Global<'i32'>;
  tokenHash: WebAssembly.Global<'i32'>;
  tokenType: WebAssembly.Global<'i32'>;
  tokenStartByte: WebAssembly.Global<'i32'>;
  tokenEndByte: WebAssembly.Global<'i32'>;
  tokenPositionIncrement: WebAssembly.Global<'i32'>;
  hashBytes(ptr: number, length: number): number;
  analyzeText(analyzer: number, ptr: number, length: number): number;
  analyzerDefine(ptr: number, length: number): number;
  analyzerDrop(analyzer: number): number;
  uaxUrlEmailDefine(ptr: number, length: number): number;
  requestAlloc(bytes: number): number;
  requestReset(): void;
  resultPtr(): number;
  resultLength(): number;
}

export { BUILDS, type Build };

/** The low-level modules in both builds. */
export const modules = await coreModules('testing');

/** A token as the pull interface gives it. */
export interface RawToken {
  term: Uint8Array;
  hash: number;
  type: number;
  startByte: number;
  endByte: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An instance of the analysis modules. */
export class AnalysisCore {
  readonly abi: AnalysisExports;

  constructor(build: Build) {
    this.abi = testingCore<AnalysisExports>(modules[build], { held: 4 << 20 });
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.abi.memory.buffer);
  }

  /** The standard analyzer's tokens of a text, through `analyzeText`. */
  analyze(text: string): Token[] {
    return this.analyzeBytes(encoder.encode(text));
  }

  analyzeBytes(text: Uint8Array): Token[] {
    const ptr = this.abi.requestAlloc(text.length);
    this.bytes.set(text, ptr);
    const status = this.abi.analyzeText(1, ptr, text.length);
    if (status !== 0) throw new Error(`status ${status}`);
    const tokens = this.result();
    this.abi.requestReset();
    return tokens;
  }

  /** Where bytes of a request are put. */
  #request(bytes: Uint8Array): number {
    const ptr = this.abi.requestAlloc(bytes.length);
    this.bytes.set(bytes, ptr);
    return ptr;
  }

  /** Runs a chain, given as its definition, over a text or what else it takes. */
  readonly run: RunChain = (chain, input) => {
    const define = () => this.abi.analyzerDefine(this.#request(chain), chain.length);
    let analyzer = define();
    if (analyzer === Status.automaton) {
      const automaton = Buffer.from(UAX_URL_EMAIL, 'base64');
      this.abi.uaxUrlEmailDefine(this.#request(automaton), automaton.length);
      analyzer = define();
    }
    if (analyzer < 0) throw new Error(`analyzerDefine: status ${analyzer}`);
    const status = this.abi.analyzeText(analyzer, this.#request(input), input.length);
    if (status !== 0) throw new Error(`analyze: status ${status}`);
    const result = this.abi.resultPtr() >>> 0;
    const list = decodeTokens(this.bytes.slice(result, result + this.abi.resultLength()));
    this.abi.analyzerDrop(analyzer);
    this.abi.requestReset();
    return list;
  };

  /** Reads the layout of assembly/README.md, *Tokens*. */
  result(): Token[] {
    const ptr = this.abi.resultPtr() >>> 0;
    const length = this.abi.resultLength();
    const view = new DataView(this.abi.memory.buffer, ptr, length);
    const tokens: Token[] = [];
    let at = 8;
    for (let i = view.getUint32(0, true); i > 0; i--) {
      const termLength = view.getUint32(at + 16, true);
      tokens.push({
        token: decoder.decode(new Uint8Array(view.buffer, ptr + at + 20, termLength)),
        start: view.getUint32(at, true),
        end: view.getUint32(at + 4, true),
        position: view.getUint32(at + 8, true),
        type: TYPES[view.getUint8(at + 12)] ?? 'unknown',
      });
      at += 20 + ((termLength + 3) & ~3);
    }
    if (at !== length) throw new Error('the result is longer than its tokens');
    return tokens;
  }

  /** Pulls the tokens of bytes that end where linear memory ends, so that reading beyond them traps. */
  pullAtTheEndOfMemory(text: Uint8Array): RawToken[] {
    const ptr = this.bytes.length - text.length;
    this.bytes.set(text, ptr);
    return this.pull(ptr, text.length);
  }

  pull(ptr: number, length: number): RawToken[] {
    const { abi } = this;
    const tokens: RawToken[] = [];
    abi.tokenStart(ptr, length);
    while (abi.tokenNext()) {
      const at = abi.tokenPtr.value >>> 0;
      const padded = (abi.tokenLength.value + 15) & ~15;
      if (this.bytes.subarray(at + abi.tokenLength.value, at + padded).some((byte) => byte !== 0))
        throw new Error('the term is not padded with zeros');
      if (abi.tokenPositionIncrement.value !== 1) throw new Error('position increment');
      tokens.push({
        term: this.bytes.slice(at, at + abi.tokenLength.value),
        hash: abi.tokenHash.value >>> 0,
        type: abi.tokenType.value,
        startByte: abi.tokenStartByte.value,
        endByte: abi.tokenEndByte.value,
      });
    }
    if (abi.tokenNext()) throw new Error('a token after the last one');
    return tokens;
  }

  /** `hashBytes` of a term that ends where linear memory ends. */
  hash(term: Uint8Array): number {
    const ptr = this.bytes.length - term.length;
    this.bytes.set(term, ptr);
    return this.abi.hashBytes(ptr, term.length) >>> 0;
  }
}
