/** What the map shows, as a list: for those who don't see it, and to look at a document. */
import { useSignal } from '@preact/signals';
import type { JsonObject } from '../../api/json';
import { useClient } from '../../app/context';
import { DataTable } from '../../components/DataTable';
import { ErrorBox } from '../../components/ErrorBox';
import { formatCount } from '../../components/formats';
import { JsonTree } from '../../components/JsonTree';
import { Pager } from '../../components/Pager';
import { Panel } from '../../components/Panel';
import { Spinner } from '../../components/Spinner';
import { useAnswer } from '../../components/useAnswer';
import { rounded } from './area';
import type { Cell, Found, GeoHit } from './mapData';

const PAGE = 25;

interface FoundPanelProps {
  found: Found;
  selected: string | undefined;
  onSelect: (key: string | undefined) => void;
  onCell: (cell: Cell) => void;
}

export function FoundPanel({ found, selected, onSelect, onCell }: FoundPanelProps) {
  const page = useSignal(0);
  const { hits, shapes, cells } = found;
  const documents = new Map([...hits, ...shapes].map((hit) => [hit.key, hit]));
  const listed = cells.length > 0 ? cells.length : documents.size;
  const shown = Math.min(page.value, Math.max(0, Math.ceil(listed / PAGE) - 1));
  const piece = <T,>(all: readonly T[]) => all.slice(shown * PAGE, (shown + 1) * PAGE);
  const chosen = selected === undefined ? undefined : documents.get(selected);
  return (
    <>
      {chosen !== undefined && <SelectedDocument hit={chosen} onClose={() => onSelect(undefined)} />}
      <Panel title={cells.length > 0 ? 'Cells' : 'Documents'}>
        {cells.length > 0 ? (
          <DataTable
            caption="Cells of the grid"
            rows={piece(cells)}
            rowKey={({ hash }) => hash}
            columns={[
              {
                name: 'cell',
                title: 'Cell',
                cell: (cell) => (
                  <button type="button" class="quiet small" title="Zoom to it" onClick={() => onCell(cell)}>
                    {cell.hash}
                  </button>
                ),
              },
              {
                name: 'middle',
                title: 'Middle',
                cell: ({ box: [west, south, east, north] }) =>
                  `${((south + north) / 2).toFixed(2)}, ${((west + east) / 2).toFixed(2)}`,
              },
              { name: 'count', title: 'Documents', isNumber: true, cell: ({ count }) => formatCount(count) },
            ]}
          />
        ) : (
          <DataTable
            caption="Documents on the map"
            rows={piece([...documents.values()])}
            rowKey={({ key }) => key}
            empty="No document is here."
            columns={[
              {
                name: 'id',
                title: 'Document',
                cell: ({ key, id }) => (
                  <button
                    type="button"
                    class="quiet small document-id"
                    aria-pressed={key === selected}
                    onClick={() => onSelect(key)}
                  >
                    {id}
                  </button>
                ),
              },
              {
                name: 'place',
                title: 'Place',
                cell: (hit) =>
                  'points' in hit
                    ? hit.points.map(([lon, lat]) => `${rounded(lat)}, ${rounded(lon)}`).join('; ')
                    : hit.geometry.type,
              },
            ]}
          />
        )}
        <Pager
          label={cells.length > 0 ? 'cells' : 'documents'}
          count={listed}
          size={PAGE}
          page={shown}
          onPage={(next) => {
            page.value = next;
          }}
        />
      </Panel>
    </>
  );
}

function SelectedDocument({
  hit,
  onClose,
}: {
  hit: Pick<GeoHit, 'index' | 'type' | 'id'>;
  onClose: () => void;
}) {
  const client = useClient();
  const { index, type, id } = hit;
  const answered = useAnswer(
    (signal) =>
      client.search<JsonObject>(
        index,
        { query: { ids: { type, values: [id] } }, size: 1 },
        { signal, quiet: true },
      ),
    [client, index, type, id],
  );
  const { value, error } = answered.value;
  const found = (value?.hits as { hits?: { _source?: JsonObject }[] } | undefined)?.hits?.[0];
  return (
    <Panel
      title={id}
      class="selected-document"
      actions={
        <button type="button" class="small" onClick={onClose}>
          Close
        </button>
      }
    >
      {error !== undefined ? (
        <ErrorBox error={error} />
      ) : value === undefined ? (
        <Spinner label="Reading" />
      ) : (
        <JsonTree value={found?._source} />
      )}
    </Panel>
  );
}
