/** The hits of an answer, each as a document. */
import { useSignal } from '@preact/signals';
import type { JsonObject } from '../../api/json';
import { linkTo } from '../../app/location';
import { formatCount } from '../../components/formats';
import { JsonTree } from '../../components/JsonTree';
import { cellText } from './answerTable';

const PIECE = 25;

export function AnswerDocuments({ hits }: { hits: readonly JsonObject[] }) {
  const shown = useSignal(PIECE);
  return (
    <ol class="answer-documents">
      {hits.slice(0, shown.value).map((hit, i) => (
        <li key={i}>
          <p>
            <a href={documentLink(hit)}>{cellText(hit._id)}</a>
            <span class="muted">
              {cellText(hit._index)} / {cellText(hit._type)}
            </span>
            {hit._score !== undefined && hit._score !== null && (
              <span class="tag">score {cellText(hit._score)}</span>
            )}
          </p>
          <JsonTree value={hit._source ?? hit.fields ?? {}} depth={1} />
        </li>
      ))}
      {hits.length > shown.value && (
        <button
          type="button"
          onClick={() => {
            shown.value += 4 * PIECE;
          }}
        >
          Show more of {formatCount(hits.length)}
        </button>
      )}
    </ol>
  );
}

/** The address of a hit's document in the documents view. */
export function documentLink({ _index, _type, _id, _routing, _parent, fields }: JsonObject): string {
  const inner = (fields ?? {}) as JsonObject;
  return linkTo('documents', {
    index: cellText(_index),
    type: cellText(_type),
    id: cellText(_id),
    routing: cellText(_routing ?? inner._routing ?? _parent ?? inner._parent),
  });
}
