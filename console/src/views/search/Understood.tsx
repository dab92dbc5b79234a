/** How the server understands a query: validated, rewritten, as Lucene prints it. */
import { useSignal } from '@preact/signals';
import { encodeNames } from '../../api/client';
import { type Json, writeJson } from '../../api/json';
import { useClient } from '../../app/context';
import { ErrorBox } from '../../components/ErrorBox';
import { Spinner } from '../../components/Spinner';
import { useAnswer } from '../../components/useAnswer';

interface Validation {
  explanations?: { index: string; valid: boolean; explanation?: string; error?: string }[];
}

export function Understood({ index, query }: { index: string; query: Json }) {
  const isOpen = useSignal(false);
  return (
    <details
      class="understood"
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>The query as Lucene sees it</summary>
      {isOpen.value && <Texts index={index} query={query} />}
    </details>
  );
}

function Texts({ index, query }: { index: string; query: Json }) {
  const client = useClient();
  const { value, error } = useAnswer(
    async (signal) => {
      const place = index === '' ? '' : `/${encodeNames(index)}`;
      const ask = (rewrite: boolean) =>
        client.json<Validation>(
          'POST',
          `${place}/_validate/query?explain=true${rewrite ? '&rewrite=true' : ''}`,
          { query },
          {
            signal,
            quiet: true,
          },
        );
      const [parsed, rewritten] = await Promise.all([ask(false), ask(true)]);
      return (parsed.explanations ?? []).map((own, i) => ({
        ...own,
        rewritten: rewritten.explanations?.[i]?.explanation,
      }));
    },
    [client, index, writeJson(query)],
  ).value;
  if (error !== undefined) return <ErrorBox error={error} />;
  if (value === undefined) return <Spinner label="Asking" />;
  return (
    <dl class="texts">
      {value.map(({ index: name, valid, explanation, rewritten, error: problem }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {valid ? (
              <>
                <code>{explanation}</code>
                {rewritten !== undefined && rewritten !== explanation && (
                  <p>
                    <span class="muted">rewritten for a shard:</span> <code>{rewritten}</code>
                  </p>
                )}
              </>
            ) : (
              <span class="problem">{problem}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
