/** Analysis: what each part of an analyzer makes of a text; two analyzers beside each other; chains tried before they are settings. */
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { encodeNames } from '../../api/client';
import type { JsonObject } from '../../api/json';
import { useClient } from '../../app/context';
import { place, selectedIndex, setParams } from '../../app/location';
import { ErrorBox } from '../../components/ErrorBox';
import { formatCount } from '../../components/formats';
import { IndexPicker } from '../../components/IndexPicker';
import { Pager } from '../../components/Pager';
import { Panel } from '../../components/Panel';
import { Spinner } from '../../components/Spinner';
import { useAnswer } from '../../components/useAnswer';
import { useFields } from '../../components/useFields';
import { ViewHeader } from '../../components/ViewHeader';
import { AnalyzerChooser } from './AnalyzerChooser';
import { AnalyzerDifference } from './AnalyzerDifference';
import {
  type AnalyzerState,
  analyzeBody,
  analyzerName,
  analyzerParams,
  LINKED_TEXT,
  readAnalyzer,
} from './analysisState';
import { ChainAsSettings } from './ChainAsSettings';
import { type Definitions, definitionsOf } from './chainSettings';
import { OffsetText } from './OffsetText';
import { StageList } from './StageList';
import { lastTokens, readAnalysis } from './stages';
import type { Span } from './TokenColumns';
import { PIECE, pieceStarts } from './textPieces';
import './analysis.css';

/** A text to begin with: it has something for most filters. */
const EXAMPLE = "The foxes' <b>quick</b> jumping over New York's Wi-Fi: crème brûlée, 3 miles away!";
const TYPING_MS = 200;

/** A text that is too long for the address. */
const longText = signal<string | undefined>(undefined);

export default function AnalysisView() {
  const { params } = place.value;
  const index = selectedIndex.value;
  const isComparing = params.get('compare') === 'true';
  const text = longText.value ?? params.get('text') ?? EXAMPLE;
  const fields = useFields(index).value.value ?? [];
  const definitions = useDefinitions(index);
  const starts = pieceStarts(text);
  const page = useSignal(0);
  const piece = Math.min(page.value, starts.length - 1);
  const shown = text.slice(starts[piece], starts[piece + 1]);
  const pointed = useSignal<Span | undefined>(undefined);
  const first = readAnalyzer(params);
  const second = readAnalyzer(params, '2');
  const one = useAnalysis(index, first, shown);
  const two = useAnalysis(index, isComparing ? second : undefined, shown);
  const side = (title: string, state: AnalyzerState, suffix: '' | '2', { value, error }: typeof one) => (
    <Panel title={title}>
      <AnalyzerChooser
        label={title}
        state={state}
        fields={fields}
        definitions={definitions}
        onChange={(next) => setParams(analyzerParams(next, suffix))}
      />
      {state.by === 'chain' && <ChainAsSettings chain={state.chain} definitions={definitions} />}
      {error !== undefined ? (
        <ErrorBox error={error} />
      ) : value === undefined ? (
        <Spinner label="Analyzing" />
      ) : (
        <StageList
          label={`Stages of ${analyzerName(state)}`}
          analysis={value}
          definitions={definitions}
          pointed={pointed}
        />
      )}
    </Panel>
  );
  return (
    <>
      <ViewHeader title="Analysis">
        <IndexPicker allowsAll />
        <button
          type="button"
          aria-pressed={isComparing}
          onClick={() =>
            setParams(
              isComparing
                ? {
                    compare: undefined,
                    by2: undefined,
                    analyzer2: undefined,
                    field2: undefined,
                    chain2: undefined,
                  }
                : {
                    compare: 'true',
                    ...analyzerParams(
                      {
                        ...first,
                        analyzer: first.analyzer === 'english' ? 'standard' : 'english',
                        by: 'analyzer',
                      },
                      '2',
                    ),
                  },
            )
          }
        >
          {isComparing ? 'End comparing' : 'Compare with another analyzer'}
        </button>
      </ViewHeader>
      <div class="stack">
        <Panel title="Text">
          <TextInput text={text} />
          {starts.length > 1 && (
            <p class="muted">
              {`Long texts are analyzed in pieces of about ${formatCount(PIECE)} characters, one at a time; this one has ${formatCount(text.length)}.`}
            </p>
          )}
          <Pager
            label="pieces"
            count={starts.length}
            size={1}
            page={piece}
            onPage={(next) => {
              page.value = next;
            }}
          />
          {one.value !== undefined && (
            <OffsetText text={shown} tokens={lastTokens(one.value)} pointed={pointed} />
          )}
        </Panel>
        {isComparing && one.value !== undefined && two.value !== undefined && (
          <AnalyzerDifference
            names={[analyzerName(first), analyzerName(second)]}
            first={one.value}
            second={two.value}
            pointed={pointed}
          />
        )}
        <div class={isComparing ? 'analyzers two' : 'analyzers'}>
          {side(isComparing ? 'First analyzer' : 'Analyzer', first, '', one)}
          {isComparing && side('Second analyzer', second, '2', two)}
        </div>
      </div>
    </>
  );
}

function TextInput({ text }: { text: string }) {
  const typed = useSignal(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      const isLong = typed.value.length > LINKED_TEXT;
      longText.value = isLong ? typed.value : undefined;
      if (isLong || typed.value === EXAMPLE) setParams({ text: undefined });
      // An empty text is one too, but an address has no empty parameters.
      else setParams({ text: typed.value === '' ? ' ' : typed.value });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return (
    <>
      <textarea
        class="text-input"
        rows={3}
        dir="auto"
        aria-label="Text to analyze"
        spellcheck={false}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
        }}
      />
      {typed.value.length > LINKED_TEXT && (
        <p class="muted">The text is too long for a link: a reload forgets it.</p>
      )}
    </>
  );
}

/** What an analyzer makes of a text, stage by stage. */
function useAnalysis(index: string, state: AnalyzerState | undefined, text: string) {
  const client = useClient();
  const body = state === undefined ? undefined : analyzeBody(state);
  return useAnswer(
    async (signal) => {
      if (body === undefined) return undefined;
      const path = `${index === '' ? '' : `/${encodeNames(index)}`}/_analyze?explain=true`;
      const answer = await client.json<JsonObject>('POST', path, { ...body, text }, { signal });
      return readAnalysis(answer, text);
    },
    [client, index, JSON.stringify(body), text],
  ).value;
}

const NO_DEFINITIONS: Definitions = {};

/** What the settings of an index define; nothing where it isn't one index, or its settings can't be read. */
function useDefinitions(index: string): Definitions {
  const client = useClient();
  const { value } = useAnswer(
    async (signal) =>
      index === ''
        ? NO_DEFINITIONS
        : definitionsOf(await client.get(`/${encodeNames(index)}/_settings`, { signal, quiet: true })),
    [client, index],
  ).value;
  return value ?? NO_DEFINITIONS;
}
