import { describe, expect, it } from 'vitest';
import { AnalysisCore, BUILDS } from './core.js';
import { compileChain, type PartDefinition, readChains } from './parts.js';

const recorded = readChains('char-filters.jsonl');

/** The text that a char filter gives. */
function filtered(core: AnalysisCore, filter: PartDefinition, text: string): string {
  return compileChain({ char_filter: [filter], tokenizer: 'keyword' }).analyze(text, core.run)[0]?.term ?? '';
}

describe.each(BUILDS)('char filters, %s build', (build) => {
  const core = new AnalysisCore(build);

  it.each(recorded.map((each) => [JSON.stringify(each.chain), each] as const))(
    '%s changes texts and offsets as Lucene does',
    (_, { chain, cases }) => {
      const analyzer = compileChain(chain);
      for (const [text, tokens] of cases) {
        const got = analyzer.analyze(text, core.run);
        expect(got.map((t) => [t.term, t.startOffset, t.endOffset, t.type, t.position])).toEqual(tokens);
      }
    },
  );
});

describe('the html_strip char filter', () => {
  const core = new AnalysisCore('release');

  it.each([
    ['tags that do not end', '<a <!--#'],
    ['quotes that do not end', `<a onclick="x<a onclick='y`],
    ['instructions that do not end', '<?x'],
    ['declarations that do not end', '<!x'],
    ['includes that nothing follows', '<a <!--#"" -->'],
    ['references', '&'],
  ])('reads %s in one go', (_, part) => {
    const text = part.repeat(Math.ceil((1 << 20) / part.length));
    const start = performance.now();
    filtered(core, 'html_strip', text);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe('the mapping char filter', () => {
  const core = new AnalysisCore('release');

  it('takes many rules', () => {
    const mappings = Array.from({ length: 20_000 }, (_, i) => `w${i} => ${i + 1}`);
    expect(filtered(core, { type: 'mapping', mappings }, 'w1 w19999 w20000')).toBe('2 20000 20010');
  });

  it.each([
    [{ type: 'mapping' }, /^ElasticsearchIllegalArgumentException\[mapping requires either `mappings`/],
    [{ type: 'mapping', mappings: ['nothing'] }, 'RuntimeException[Invalid Mapping Rule : [nothing]]'],
    [{ type: 'mapping', mappings: ['=> x'] }, 'IllegalArgumentException[cannot match the empty string]'],
    [
      { type: 'mapping', mappings: ['a=>b', 'a=>c'] },
      'IllegalArgumentException[match "a" was already added]',
    ],
    [{ type: 'mapping', mappings: ['a=>\\u00'] }, 'RuntimeException[Invalid escaped char in [\\u00]]'],
  ] as const)('refuses %j', (definition, message) => {
    expect(() => filtered(core, definition as unknown as PartDefinition, '')).toThrow(message);
  });
});
