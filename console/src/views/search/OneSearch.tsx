/** The hits of a search, and the explanation of the one that is selected. */
import { useComputed } from '@preact/signals';
import { isObject, type Json, type JsonObject } from '../../api/json';
import type { MappedField } from '../../api/mappingFields';
import { useClient } from '../../app/context';
import { linkTo, place, setParams } from '../../app/location';
import { CopyButton } from '../../components/CopyButton';
import { ErrorBox } from '../../components/ErrorBox';
import { formatCount } from '../../components/formats';
import { isNarrow } from '../../components/isNarrow';
import { Panel } from '../../components/Panel';
import { Spinner } from '../../components/Spinner';
import { useAnswer } from '../../components/useAnswer';
import { Contributions } from './Contributions';
import { ExplanationTree } from './ExplanationTree';
import { Filters } from './Filters';
import { HitCard } from './HitCard';
import { ListOptions, Pages } from './ListOptions';
import { ShardProblems, ShardStatistics } from './Shards';
import { ShownFields, shownFields } from './ShownFields';
import { type Hit, runSearch, type SearchAnswer, textOf } from './searchAnswer';
import { searchBody, shownBody } from './searchBody';
import { type SearchState, searchParams } from './searchState';
import { Timing } from './Timing';
import { Understood } from './Understood';
import { ValueCounts } from './ValueCounts';
import { WhyBelow } from './WhyBelow';

/** Pixels up to which the explanation stands below its hit. */
const NARROW = 1000;

interface OneSearchProps {
  index: string;
  state: SearchState;
  fields: readonly MappedField[];
  onChange: (state: SearchState) => void;
}

export function OneSearch({ index, state, fields, onChange }: OneSearchProps) {
  const client = useClient();
  const key = JSON.stringify(searchParams(state));
  const answered = useAnswer(
    async (signal) => {
      const body = searchBody(state);
      const answer = await runSearch(client, index, shownBody(state, body), { isDfs: state.isDfs, signal });
      return { answer, body };
    },
    [client, index, key],
  );
  const { value, error, isLoading } = answered.value;
  if (value === undefined)
    return error === undefined ? <Spinner label="Searching" /> : <ErrorBox error={error} />;
  return (
    <div class={isLoading ? 'found loading' : 'found'} aria-busy={isLoading}>
      <Found index={index} state={state} fields={fields} onChange={onChange} {...value} />
    </div>
  );
}

interface FoundProps extends OneSearchProps {
  answer: SearchAnswer;
  body: JsonObject;
}

function Found({ index, state, fields, onChange, answer, body }: FoundProps) {
  const narrow = isNarrow(NARROW);
  const wanted = useComputed(() => place.value.params.get('hit')).value;
  const shown = shownFields(place.value.params);
  const { hits, shards } = answer;
  const selected = hits.find((hit) => hit.key === wanted) ?? (narrow ? undefined : hits[0]);
  const best = Math.max(...hits.map(({ score }) => Number(score ?? 0)));
  const canFilter = (name: string) => fields.some((field) => field.path === name && isTerm(field));
  const filter = (name: string, given: Json) => {
    const field = fields.find(({ path }) => path === name);
    const added = { field: name, value: given, isPhrase: field?.isAnalyzed === true, isExcluded: false };
    const others = state.filters.filter(
      (each) => !(each.field === name && textOf(each.value) === textOf(given)),
    );
    onChange({ ...state, from: 0, filters: [...others, added] });
  };
  const explanation = selected === undefined ? null : <Explained hit={selected} hits={hits} body={body} />;
  return (
    <div class="results">
      <Panel
        title={answer.total === 1 ? '1 hit' : `${formatCount(answer.total)} hits`}
        actions={<ListOptions state={state} fields={fields} onChange={onChange} />}
      >
        <Filters filters={state.filters} onChange={(filters) => onChange({ ...state, from: 0, filters })} />
        {answer.isTimedOut && <p class="problem">The time was over before all was found.</p>}
        <ShardProblems problems={shards.problems} failed={shards.failed} total={shards.total} />
        {shards.total > 1 && body.sort === undefined && (
          <ShardStatistics index={index} body={body} state={state} hits={hits} onChange={onChange} />
        )}
        {answer.total > 0 && (
          <ValueCounts
            index={index}
            query={body.query ?? { match_all: {} }}
            fields={fields}
            onFilter={filter}
          />
        )}
        {hits.length > 0 && <ShownFields fields={fields} shown={shown} />}
        {hits.length === 0 ? (
          <p class="empty">{answer.total === 0 ? 'Nothing matches.' : 'The search asks for no hits here.'}</p>
        ) : (
          <ol class="hits" aria-label="Hits">
            {hits.map((hit) => (
              <HitCard
                key={hit.key}
                hit={hit}
                bestScore={best}
                isSelected={hit === selected}
                hasShards={shards.total > 1}
                shown={shown}
                onSelect={() => setParams({ hit: hit === selected && narrow ? undefined : hit.key })}
                canFilter={canFilter}
                onFilter={filter}
              >
                {narrow && hit === selected && <div class="own-explanation">{explanation}</div>}
              </HitCard>
            ))}
          </ol>
        )}
        <Pages state={state} total={answer.total} onChange={onChange} />
        <Timing answer={answer} />
        <Understood index={index} query={body.query ?? { match_all: {} }} />
      </Panel>
      {!narrow && explanation !== null && <div class="beside">{explanation}</div>}
    </div>
  );
}

/** Whether a value of the field can be searched for as it stands in a document. */
function isTerm({ type, isIndexed, nested }: MappedField): boolean {
  return (
    isIndexed &&
    nested === undefined &&
    !['geo_point', 'geo_shape', 'binary', 'attachment', 'completion'].includes(type)
  );
}

function Explained({ hit, hits, body }: { hit: Hit; hits: readonly Hit[]; body: JsonObject }) {
  const { explanation: root } = hit;
  const sortedBy = body.sort === undefined ? undefined : sortField(body.sort);
  return (
    <Panel
      title={`Why hit ${hit.rank} scores ${hit.score ?? 'nothing'}`}
      actions={
        <>
          <a
            href={linkTo('documents', { index: hit.index, type: hit.type, id: hit.id, routing: hit.routing })}
          >
            Document
          </a>
          {root !== undefined && <CopyButton label="As text" text={() => asText(root)} />}
        </>
      }
    >
      {root === undefined ? (
        <p class="muted">The server gave no explanation.</p>
      ) : (
        <div class="stack">
          <WhyBelow hit={hit} hits={hits} sortedBy={sortedBy} />
          <Contributions root={root} />
          <h3>How it is worked out</h3>
          <ExplanationTree key={hit.key} root={root} />
        </div>
      )}
    </Panel>
  );
}

/** What a search is sorted by first; undefined for the score. */
function sortField(sort: Json): string | undefined {
  const first = Array.isArray(sort) ? sort[0] : sort;
  const name = isObject(first) ? Object.keys(first)[0] : first;
  return name === '_score' || name === undefined ? undefined : textOf(name);
}

/** The server's words, a line each. */
function asText(node: NonNullable<Hit['explanation']>, depth = 0): string {
  const own = `${'  '.repeat(depth)}${node.digits} = ${node.description.trim()}`;
  return [own, ...node.details.map((each) => asText(each, depth + 1))].join('\n');
}
