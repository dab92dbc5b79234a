/** The fields that were found, with what is proposed for each; changed before they are made. */
import { formatCount } from '../../components/formats';
import * as state from './importState';
import { FIELD_KINDS, type FieldKind, type ProposedField } from './proposal/proposal';

export function MappingTable({ isDisabled }: { isDisabled: boolean }) {
  const { documents, point } = state.proposal.value!;
  const known = new Map(state.existing.value?.map((field) => [field.path, field.type]));
  const change = (at: number, changed: Partial<ProposedField>) => {
    state.fields.value = state.fields.value.map((each, i) => (i === at ? { ...each, ...changed } : each));
  };
  return (
    <>
      {point !== undefined && (
        <label class="point-option">
          <input
            type="checkbox"
            checked={state.hasPoint.value}
            disabled={isDisabled}
            onChange={(event) => {
              state.hasPoint.value = event.currentTarget.checked;
            }}
          />
          Add a geo point <b>{point.field}</b> made of <code>{point.lat}</code> and <code>{point.lon}</code>
        </label>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by arrow keys */}
      <section class="table mapping-table" tabIndex={0} aria-label="Fields">
        <table>
          <caption class="hidden">Fields and how they are indexed</caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Indexed as</th>
              <th scope="col">Why</th>
              <th scope="col" class="number">
                In
              </th>
              <th scope="col">Example</th>
            </tr>
          </thead>
          <tbody>
            {state.fields.value.map((field, i) => {
              const path = field.path.join('.');
              const type = known.get(path);
              return (
                <tr key={path}>
                  <th scope="row">{path}</th>
                  <td>
                    {type !== undefined ? (
                      <span class="tag">{type}, as it is</span>
                    ) : (
                      <KindChoice
                        field={field}
                        isDisabled={isDisabled}
                        onChange={(changed) => change(i, changed)}
                      />
                    )}
                  </td>
                  <td class={field.isDoubtful ? 'doubtful' : 'muted'}>
                    {field.isDoubtful && <b>Check: </b>}
                    {field.reason}
                  </td>
                  <td class="number">
                    {field.documents === documents ? 'all' : formatCount(field.documents)}
                  </td>
                  <td class="example">{field.example}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </>
  );
}

interface KindChoiceProps {
  field: ProposedField;
  isDisabled: boolean;
  onChange: (changed: Partial<ProposedField>) => void;
}

function KindChoice({ field, isDisabled, onChange }: KindChoiceProps) {
  const path = field.path.join('.');
  return (
    <span class="kind-choice">
      <select
        aria-label={`${path}: indexed as`}
        value={field.kind}
        disabled={isDisabled}
        onChange={(event) => onChange({ kind: event.currentTarget.value as FieldKind })}
      >
        {Object.entries(FIELD_KINDS).map(([kind, title]) => (
          <option key={kind} value={kind}>
            {title}
          </option>
        ))}
      </select>
      {field.kind === 'date' && (
        <input
          aria-label={`${path}: format of dates`}
          value={field.format}
          disabled={isDisabled}
          placeholder="dateOptionalTime"
          spellcheck={false}
          onInput={(event) => onChange({ format: event.currentTarget.value.trim() })}
        />
      )}
    </span>
  );
}
