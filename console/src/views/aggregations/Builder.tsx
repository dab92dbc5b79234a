/** Builds an aggregation by clicks: buckets, buckets within them, numbers of each. */
import type { MappedField } from '../../api/mappingFields';
import { Icon } from '../../components/Icon';
import { type Form, MOST_LEVELS, type Part } from './aggregationForm';
import { KINDS, type KindOption, kindOf } from './kinds';
import { PartOption } from './PartOption';

interface BuilderProps {
  form: Form;
  fields: readonly MappedField[];
  onChange: (form: Form) => void;
  /** Called with a part that lacks its interval; resolves with one that fits the field's values. */
  proposeInterval: (part: Part) => Promise<Part>;
}

const LEVEL_TITLES = ['Buckets', 'Within each bucket', 'Within each of these'];

export function Builder({ form, fields, onChange, proposeInterval }: BuilderProps) {
  const { levels, metrics } = form;
  const setLevel = (at: number, part: Part | undefined) =>
    onChange({ ...form, levels: replaced(levels, at, part) });
  const setMetric = (at: number, part: Part | undefined) =>
    onChange({ ...form, metrics: replaced(metrics, at, part) });
  const shared = { fields, form, proposeInterval };
  return (
    <div class="aggregation-builder">
      {levels.map((part, i) => (
        <PartForm
          key={`level${i}`}
          {...shared}
          title={LEVEL_TITLES[i]!}
          part={part}
          hasBuckets={true}
          onChange={(next) => setLevel(i, next)}
        />
      ))}
      {metrics.map((part, i) => (
        <PartForm
          key={`metric${i}`}
          {...shared}
          title={levels.length === 0 ? 'Number' : 'Number of each bucket'}
          part={part}
          hasBuckets={false}
          onChange={(next) => setMetric(i, next)}
        />
      ))}
      <div class="actions">
        {levels.length < MOST_LEVELS && (
          <button
            type="button"
            class="small"
            onClick={() =>
              onChange({ ...form, levels: [...levels, { kind: 'terms', field: '', options: {} }] })
            }
          >
            <Icon name="add" /> Buckets
          </button>
        )}
        <button
          type="button"
          class="small"
          onClick={() =>
            onChange({ ...form, metrics: [...metrics, { kind: 'avg', field: '', options: {} }] })
          }
        >
          <Icon name="add" /> Number
        </button>
      </div>
    </div>
  );
}

interface PartFormProps {
  title: string;
  part: Part;
  hasBuckets: boolean;
  fields: readonly MappedField[];
  form: Form;
  onChange: (part: Part | undefined) => void;
  proposeInterval: (part: Part) => Promise<Part>;
}

function PartForm({ title, part, hasBuckets, fields, form, onChange, proposeInterval }: PartFormProps) {
  const kind = kindOf(part.kind)!;
  // Fields of nested objects are reached by an aggregation of their own (`nested`), which is written as JSON.
  const fitting = fields.filter(
    (field) => kind.takes(field) && field.isIndexed && field.nested === undefined,
  );
  const change = (next: Part) => {
    onChange(next);
    const needsInterval = kindOf(next.kind)!.options.some(
      ({ name, isRequired }) => name === 'interval' && isRequired,
    );
    if (needsInterval && next.field !== '' && (next.options.interval ?? '') === '')
      proposeInterval(next).then(onChange, () => {});
  };
  const setKind = (name: string) => {
    const fits = fields.some((field) => field.path === part.field && kindOf(name)!.takes(field));
    const only = fields.filter((field) => kindOf(name)!.takes(field));
    change({ kind: name, field: fits ? part.field : only.length === 1 ? only[0]!.path : '', options: {} });
  };
  const setOption = ({ name }: KindOption, text: string) =>
    onChange({ ...part, options: { ...part.options, [name]: text } });
  const options = (
    <>
      {kind.options.map((option) => (
        <PartOption
          key={`${kind.name}-${option.name}`}
          option={option}
          value={part.options[option.name] ?? ''}
          form={form}
          onChange={(text) => setOption(option, text)}
        />
      ))}
    </>
  );
  const hasRequired = kind.options.some(({ isRequired }) => isRequired);
  return (
    <fieldset class="aggregation-part">
      <legend>{title}</legend>
      <div class="choices">
        <select
          aria-label={`${title}: kind`}
          value={part.kind}
          onChange={(event) => setKind(event.currentTarget.value)}
        >
          {KINDS.filter((each) => each.hasBuckets === hasBuckets).map((each) => (
            <option key={each.name} value={each.name}>
              {each.title}
            </option>
          ))}
        </select>
        <button
          type="button"
          class="icon"
          aria-label={`Remove ${title.toLowerCase()}`}
          onClick={() => onChange(undefined)}
        >
          <Icon name="delete" />
        </button>
      </div>
      {kind.hasNoField !== true && (
        <select
          aria-label={`${title}: field`}
          value={part.field}
          onChange={(event) => change({ ...part, field: event.currentTarget.value })}
        >
          <option value="">{fitting.length === 0 ? 'No field fits' : 'Choose a field'}</option>
          {part.field !== '' && !fitting.some(({ path }) => path === part.field) && (
            <option value={part.field}>{part.field}</option>
          )}
          {fitting.map(({ path, type, isAnalyzed }) => (
            <option key={path} value={path}>
              {path} ({type === 'string' ? (isAnalyzed ? 'words' : 'whole string') : type})
            </option>
          ))}
        </select>
      )}
      {hasRequired ? (
        <div class="options">{options}</div>
      ) : (
        kind.options.length > 0 && (
          <details open={Object.values(part.options).some((text) => text !== '')}>
            <summary class="muted">Options</summary>
            <div class="options">{options}</div>
          </details>
        )
      )}
    </fieldset>
  );
}

function replaced(parts: readonly Part[], at: number, part: Part | undefined): readonly Part[] {
  return part === undefined
    ? parts.filter((_, i) => i !== at)
    : parts.map((each, i) => (i === at ? part : each));
}
