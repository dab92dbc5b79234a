/** What two analyzers make of the same text: where they differ. */
import type { Signal } from '@preact/signals';
import { Panel } from '../../components/Panel';
import { type Analysis, changes, lastTokens } from './stages';
import { type Span, TokenColumns } from './TokenColumns';

interface AnalyzerDifferenceProps {
  names: readonly [string, string];
  first: Analysis;
  second: Analysis;
  pointed: Signal<Span | undefined>;
}

export function AnalyzerDifference({ names: [one, two], first, second, pointed }: AnalyzerDifferenceProps) {
  const all = changes(lastTokens(first), lastTokens(second));
  const count = (kind: (typeof all)[number]['kind']) => all.filter((each) => each.kind === kind).length;
  const same = count('same');
  return (
    <Panel title="Where they differ">
      <p role="status">
        {same === all.length
          ? `Both give the same ${same} tokens.`
          : `${same} tokens in common, ${count('changed')} of another term, ${count('removed')} only from ${one}, ${count('added')} only from ${two}.`}
      </p>
      <TokenColumns label="Tokens of both" tokens={all} pointed={pointed} />
    </Panel>
  );
}
