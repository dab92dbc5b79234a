/** The stages of an analyzer, one below the other: what each was given, and what it made of it. */
import type { Signal } from '@preact/signals';
import { JsonTree } from '../../components/JsonTree';
import type { Definitions } from './chainSettings';
import type { PartKind } from './partTypes';
import type { Analysis, Stage } from './stages';
import { type Span, TokenColumns } from './TokenColumns';

const KINDS: Readonly<Record<Stage['kind'], PartKind>> = {
  'char filter': 'char_filter',
  tokenizer: 'tokenizer',
  'token filter': 'filter',
};

interface StageListProps {
  label: string;
  analysis: Analysis;
  definitions: Definitions;
  pointed: Signal<Span | undefined>;
}

export function StageList({ label, analysis, definitions, pointed }: StageListProps) {
  return (
    <ol class="stages" aria-label={label}>
      {analysis.stages.map((stage, i) => {
        const { kind, name, type, text, tokens, summary } = stage;
        const settings = definitions[KINDS[kind]]?.[name];
        return (
          <li key={`${i}-${name}`} class={summary === 'changes nothing' ? 'idle' : ''}>
            <h3>
              <span class="muted">{kind}</span> {name}
              {type !== name && <span class="muted"> ({type})</span>}
            </h3>
            <p class="muted summary">{summary}</p>
            {settings !== undefined && (
              <details>
                <summary class="muted">Settings</summary>
                <JsonTree value={settings} />
              </details>
            )}
            {text === undefined ? (
              <TokenColumns label={`Tokens after ${name}`} tokens={tokens} pointed={pointed} />
            ) : (
              <pre class="filtered" dir="auto">
                {text === '' ? '(empty)' : text}
              </pre>
            )}
          </li>
        );
      })}
    </ol>
  );
}
