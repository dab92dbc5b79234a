/** Grants to type: levels over indices, and one over the cluster. */
import type { Signal } from '@preact/signals';
import type { ClusterLevel, IndexLevel } from '../../app/whoAmI';
import { Icon } from '../../components/Icon';
import {
  CLUSTER_LEVELS,
  CLUSTER_MEANINGS,
  type GrantRow,
  INDEX_LEVELS,
  INDEX_MEANINGS,
  newRow,
} from './grantRows';

interface GrantsEditorProps {
  rows: Signal<readonly GrantRow[]>;
  cluster: Signal<ClusterLevel>;
}

export function GrantsEditor({ rows, cluster }: GrantsEditorProps) {
  const change = (id: number, changed: Partial<GrantRow>) => {
    rows.value = rows.value.map((row) => (row.id === id ? { ...row, ...changed } : row));
  };
  return (
    <>
      <fieldset class="grants">
        <legend>Indices and aliases</legend>
        {rows.value.map(({ id, names, access }, i) => (
          <div key={id} class="grant">
            <input
              aria-label={`Names of grant ${i + 1}`}
              value={names}
              placeholder="logs-*, metrics"
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => change(id, { names: event.currentTarget.value })}
            />
            <select
              aria-label={`Level of grant ${i + 1}`}
              value={access}
              onChange={(event) => change(id, { access: event.currentTarget.value as IndexLevel })}
            >
              {INDEX_LEVELS.map((level) => (
                <option key={level} value={level}>
                  {INDEX_MEANINGS[level]}
                </option>
              ))}
            </select>
            <button
              type="button"
              class="icon"
              aria-label={`Remove grant ${i + 1}`}
              onClick={() => {
                rows.value = rows.value.filter((row) => row.id !== id);
              }}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
        <button
          type="button"
          class="small"
          onClick={() => {
            rows.value = [...rows.value, newRow()];
          }}
        >
          <Icon name="add" /> Add a grant
        </button>
      </fieldset>
      <label>
        Cluster
        <select
          value={cluster.value}
          onChange={(event) => {
            cluster.value = event.currentTarget.value as ClusterLevel;
          }}
        >
          {CLUSTER_LEVELS.map((level) => (
            <option key={level} value={level}>
              {CLUSTER_MEANINGS[level]}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
