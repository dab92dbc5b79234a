import { describe, expect, it } from 'vitest';
import { AnalysisCore, BUILDS } from './core.js';

const ERR_ARGUMENT = -1;

describe.each(BUILDS)('the analyze call, %s build', (build) => {
  const core = new AnalysisCore(build);

  function whole(text: Uint8Array): number {
    core.abi.requestReset();
    const ptr = core.abi.requestAlloc(text.length);
    core.bytes.set(text, ptr);
    return core.abi.analyzeText(0, ptr, text.length);
  }

  it('gives no tokens for an empty text', () => {
    expect(core.analyze('')).toEqual([]);
    expect(core.analyze(' \n—!')).toEqual([]);
  });

  it('counts offsets in UTF-16 units', () => {
    expect(core.analyze('😀 Çok GÜZEL 𝐀b')).toEqual([
      { token: 'çok', start: 3, end: 6, position: 1, type: '<ALPHANUM>' },
      { token: 'güzel', start: 7, end: 12, position: 2, type: '<ALPHANUM>' },
      { token: '𝐀b', start: 13, end: 16, position: 3, type: '<ALPHANUM>' },
    ]);
  });

  it('takes the whole value as one term without an analyzer', () => {
    for (const text of ['', 'Ab c', '😀é', '\n']) {
      expect(whole(new TextEncoder().encode(text))).toBe(0);
      expect(core.result()).toEqual([{ token: text, start: 0, end: text.length, position: 1, type: 'word' }]);
    }
    expect(whole(new Uint8Array(70000).fill(0x61))).toBe(0);
    expect(core.result()[0]?.token.length).toBe(70000);
  });

  it('refuses analyzers that do not exist', () => {
    expect(core.abi.analyzeText(2, 0, 0)).toBe(ERR_ARGUMENT);
    expect(core.abi.resultLength()).toBe(0);
  });
});
