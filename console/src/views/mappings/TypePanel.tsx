/** A type: what is said of all its documents, and its fields as a tree. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { encodeNames } from '../../api/client';
import { isObject, type JsonObject } from '../../api/json';
import { useClient } from '../../app/context';
import { ErrorBox } from '../../components/ErrorBox';
import { formatCount } from '../../components/formats';
import { Icon } from '../../components/Icon';
import { Panel } from '../../components/Panel';
import { FieldDialog } from './FieldDialog';
import { type FieldNode, fieldNodes, leaves, typeFacts } from './mappingTree';

/** How many documents have a field, by its path. */
type Counts = ReadonlyMap<string, number>;

interface TypePanelProps {
  index: string;
  /** Undefined where there is none yet. */
  type: string | undefined;
  mapping: JsonObject;
  settings: JsonObject;
  onChanged: () => void;
}

/** Fields that are counted in one request, each by a filter. */
const AT_ONCE = 200;
/** Fields of one level that are shown at once. */
const PIECE = 100;

export function TypePanel({ index, type, mapping, settings, onChanged }: TypePanelProps) {
  const client = useClient();
  const nodes = useMemo(() => fieldNodes(mapping.properties), [mapping]);
  const counts = useSignal<Counts | undefined>(undefined);
  const total = useSignal<number | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const isCounting = useSignal(false);
  const adds = useSignal<string | undefined>(undefined);
  const count = async () => {
    isCounting.value = true;
    error.value = undefined;
    try {
      const paths = leaves(nodes);
      const found = new Map<string, number>();
      for (let at = 0; at < paths.length; at += AT_ONCE) {
        const piece = paths.slice(at, at + AT_ONCE);
        const aggs = Object.fromEntries(piece.map((node, i) => [`f${i}`, { filter: existsFilter(node) }]));
        const path = `/${encodeNames(index)}/${encodeNames(type ?? '')}/_search?search_type=count`;
        const answer = await client.json('POST', path, { aggs }, { quiet: true });
        const results = isObject(answer.aggregations) ? answer.aggregations : {};
        for (const [i, node] of piece.entries()) {
          const result = results[`f${i}`];
          if (isObject(result)) found.set(node.path, Number(result.doc_count));
        }
        if (isObject(answer.hits)) total.value = Number(answer.hits.total);
      }
      counts.value = found;
    } catch (e) {
      error.value = e;
    } finally {
      isCounting.value = false;
    }
  };
  const title = type === undefined ? index : `${index} / ${type}`;
  return (
    <Panel
      title={title}
      class="mapping"
      actions={
        <>
          {nodes.length > 0 && (
            <button type="button" class="small" disabled={isCounting.value} onClick={() => void count()}>
              Count documents
            </button>
          )}
          <button
            type="button"
            class="small"
            onClick={() => {
              adds.value = '';
            }}
          >
            <Icon name="add" /> Field
          </button>
        </>
      }
    >
      {error.value !== undefined && <ErrorBox error={error.value} />}
      <TypeFacts mapping={mapping} />
      {total.value !== undefined && (
        <p class="muted" role="status">
          {formatCount(total.value)} documents; beside each field, how many of them have it.
        </p>
      )}
      {nodes.length === 0 ? (
        <p class="empty">No field yet: documents bring theirs, or add one.</p>
      ) : (
        <Fields
          nodes={nodes}
          counts={counts.value}
          total={total.value}
          onForm={(path) => {
            adds.value = `${path}.`;
          }}
        />
      )}
      {adds.value !== undefined && (
        <FieldDialog
          index={index}
          type={type}
          path={adds.value}
          nodes={nodes}
          mapping={mapping}
          settings={settings}
          onClose={() => {
            adds.value = undefined;
          }}
          onDone={onChanged}
        />
      )}
    </Panel>
  );
}

function TypeFacts({ mapping }: { mapping: JsonObject }) {
  const facts = typeFacts(mapping);
  if (facts.length === 0) return null;
  return (
    <dl class="type-facts">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface FieldsProps {
  nodes: readonly FieldNode[];
  counts: Counts | undefined;
  total: number | undefined;
  /** Asks for another form of a field. */
  onForm: (path: string) => void;
}

function Fields({ nodes, counts, total, onForm }: FieldsProps) {
  const shown = useSignal(PIECE);
  const rest = { counts, total, onForm };
  return (
    <ul class="fields">
      {nodes.slice(0, shown.value).map((node) => (
        <li key={node.path}>
          {node.inner.length > 0 ? (
            <details open>
              <summary>
                <FieldLine node={node} {...rest} />
              </summary>
              <Fields nodes={node.inner} {...rest} />
            </details>
          ) : (
            <>
              <FieldLine node={node} {...rest} />
              {node.forms.length > 0 && <Fields nodes={node.forms} {...rest} />}
            </>
          )}
        </li>
      ))}
      {nodes.length > shown.value && (
        <li>
          <button
            type="button"
            class="quiet small"
            onClick={() => {
              shown.value += 5 * PIECE;
            }}
          >
            Show more of {formatCount(nodes.length)} fields
          </button>
        </li>
      )}
    </ul>
  );
}

function FieldLine({ node, counts, total, onForm }: Omit<FieldsProps, 'nodes'> & { node: FieldNode }) {
  const { name, path, type, facts } = node;
  const count = counts?.get(path);
  const takesForms = node.inner.length === 0 && type !== 'object' && type !== 'nested';
  return (
    <span class="field-line">
      <b>{name}</b>
      <span class="tag">{type}</span>
      {facts.length > 0 && <span class="muted">{facts.join(' · ')}</span>}
      {count !== undefined && (
        <span class="count">
          {formatCount(count)}
          {total !== undefined && total > 0 && ` (${Math.round((count / total) * 100)} %)`}
        </span>
      )}
      {takesForms && (
        <button
          type="button"
          class="quiet small"
          aria-label={`Index ${path} in another form too`}
          onClick={() => onForm(path)}
        >
          <Icon name="add" /> form
        </button>
      )}
    </span>
  );
}

function existsFilter({ path, nested }: FieldNode): JsonObject {
  const exists = { exists: { field: path } };
  return nested === undefined ? exists : { nested: { path: nested, filter: exists } };
}
