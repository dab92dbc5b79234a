/** The documents of an index: looked through, filtered, sorted, opened. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { encodeNames } from '../../api/client';
import { isObject, type JsonObject } from '../../api/json';
import { useClient } from '../../app/context';
import { place, selectedIndex, setParams } from '../../app/location';
import { ErrorBox } from '../../components/ErrorBox';
import { Icon } from '../../components/Icon';
import { IndexPicker } from '../../components/IndexPicker';
import { Panel } from '../../components/Panel';
import { Spinner } from '../../components/Spinner';
import { useAnswer } from '../../components/useAnswer';
import { useFields } from '../../components/useFields';
import { ViewHeader } from '../../components/ViewHeader';
import { type Browsing, bodyOf, readFilters } from './browsing';
import { DocumentDialog } from './DocumentDialog';
import { DocumentTable } from './DocumentTable';
import { Filters } from './Filters';
import { PageLine } from './PageLine';
import './documents.css';

/** What a search answers. */
interface Answer {
  took: number;
  timed_out: boolean;
  _shards: { total: number; failed: number };
  hits: { total: number; hits: JsonObject[] };
}

export default function DocumentsView() {
  const client = useClient();
  const index = selectedIndex.value;
  const { params } = place.value;
  const browsing: Browsing = {
    words: params.get('q') ?? '',
    filters: useMemo(() => readFilters(params.get('filter') ?? ''), [params.get('filter')]),
    sort: params.get('sort') ?? '',
    type: params.get('type') ?? '',
    page: Math.max(0, Number(params.get('page') ?? '1') - 1 || 0),
  };
  const isOpen = params.has('id');
  const isNew = useSignal(false);
  const type = isOpen ? '' : browsing.type;
  const asked = JSON.stringify({ ...browsing, type });
  const answered = useAnswer(
    async (signal) => {
      if (index === '') return undefined;
      const path = `/${encodeNames(index)}${type === '' ? '' : `/${encodeNames(type)}`}/_search`;
      return client.json<Answer>('POST', path, bodyOf(browsing), { signal, quiet: true });
    },
    [client, index, asked],
  );
  const fields = useFields(index).value.value ?? [];
  const { value, error, isLoading, reload } = answered.value;
  const total = value?.hits.total ?? 0;
  return (
    <>
      <ViewHeader title="Documents">
        <IndexPicker />
        <button
          type="button"
          disabled={index === ''}
          onClick={() => {
            isNew.value = true;
          }}
        >
          <Icon name="add" /> New document
        </button>
      </ViewHeader>
      {index === '' ? (
        <p class="empty">Choose an index to see its documents.</p>
      ) : (
        <Panel title={index} class="documents">
          <Filters browsing={browsing} fields={fields} />
          {error !== undefined ? (
            <ErrorBox error={error} />
          ) : value === undefined ? (
            <Spinner label="Searching" />
          ) : (
            <>
              <PageLine
                page={browsing.page}
                total={total}
                took={value.took}
                isLoading={isLoading}
                onReload={reload}
              />
              {value._shards.failed > 0 && (
                <p class="problem">
                  {value._shards.failed} of {value._shards.total} shards did not answer: documents are missing
                  here.
                </p>
              )}
              <DocumentTable hits={value.hits.hits.filter(isObject)} fields={fields} browsing={browsing} />
            </>
          )}
        </Panel>
      )}
      {isOpen && (
        <DocumentDialog
          place={{
            index,
            type: params.get('type') ?? '',
            id: params.get('id') ?? '',
            routing: params.get('routing') ?? '',
          }}
          onClose={() => setParams({ id: undefined, type: undefined, routing: undefined })}
          onChanged={reload}
        />
      )}
      {isNew.value && (
        <DocumentDialog
          place={{ index, type: browsing.type, id: '', routing: '' }}
          isNew
          onClose={() => {
            isNew.value = false;
          }}
          onChanged={reload}
        />
      )}
    </>
  );
}
