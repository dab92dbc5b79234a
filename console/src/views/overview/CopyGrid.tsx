/** The copies of shards as a grid: a row for each index, a column for each node. */
import { useSignal } from '@preact/signals';
import { Panel } from '../../components/Panel';
import { type Copy, gridOf } from './copies';

/** Rows that are shown at first. */
const ROWS = 25;

export function CopyGrid({ copies, nodes }: { copies: readonly Copy[]; nodes: readonly string[] }) {
  const shown = useSignal(ROWS);
  const grid = [...gridOf(copies)];
  const columns = [...nodes].sort();
  if (copies.some(({ node }) => node === undefined)) columns.push('');
  if (grid.length === 0) return null;
  return (
    <Panel title="Copies of shards">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by arrow keys */}
      <section class="table" tabIndex={0} aria-label="Copies of shards by node">
        <table>
          <caption class="hidden">Copies of shards by node</caption>
          <thead>
            <tr>
              <th scope="col">Index</th>
              {columns.map((node) => (
                <th scope="col" key={node}>
                  {node === '' ? 'nowhere' : node}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grid.slice(0, shown.value).map(([index, row]) => (
              <tr key={index}>
                <th scope="row">{index}</th>
                {columns.map((node) => (
                  <td key={node}>
                    <ul class="copies">
                      {(row.get(node) ?? []).map((copy) => (
                        <CopyChip key={`${copy.shard}${copy.isPrimary}${copy.state}`} copy={copy} />
                      ))}
                    </ul>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {grid.length > shown.value && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            shown.value += ROWS;
          }}
        >
          Show more of {grid.length}
        </button>
      )}
      <p class="muted hint">A number is a shard; bold ones are shown as primaries.</p>
    </Panel>
  );
}

function CopyChip({ copy: { shard, isPrimary, state } }: { copy: Copy }) {
  const words = `shard ${shard}, ${isPrimary ? 'primary' : 'replica'}, ${state.toLowerCase()}`;
  return (
    <li class={`copy ${state.toLowerCase()} ${isPrimary ? 'primary-copy' : ''}`} title={words}>
      <span aria-hidden="true">{shard}</span>
      <span class="hidden">{words}</span>
    </li>
  );
}
