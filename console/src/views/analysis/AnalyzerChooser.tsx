/** Which analyzer: by name, by a field of the index, or a chain of its parts. */
import type { MappedField } from '../../api/mappingFields';
import { Tabs } from '../../components/Tabs';
import type { AnalyzerState } from './analysisState';
import { ChainBuilder } from './ChainBuilder';
import { chainOf, type Definitions } from './chainSettings';
import { ANALYZERS } from './partTypes';

interface AnalyzerChooserProps {
  label: string;
  state: AnalyzerState;
  fields: readonly MappedField[];
  definitions: Definitions;
  onChange: (state: AnalyzerState) => void;
}

export function AnalyzerChooser({ label, state, fields, definitions, onChange }: AnalyzerChooserProps) {
  const own = Object.keys(definitions.analyzer ?? {});
  const texts = fields.filter(({ type }) => type === 'string');
  const names = [...new Set([state.analyzer, ...own, ...ANALYZERS])];
  const defined = chainOf(definitions, state.analyzer);
  return (
    <Tabs
      label={label}
      selected={state.by}
      onSelect={(by) =>
        onChange({
          ...state,
          by,
          ...(by === 'field' && state.field === '' ? { field: texts[0]?.path ?? '' } : {}),
        })
      }
      tabs={[
        { name: 'analyzer', title: 'Analyzer' },
        { name: 'field', title: 'Field' },
        { name: 'chain', title: 'Custom chain' },
      ]}
    >
      {state.by === 'analyzer' ? (
        <div class="actions">
          <label class="picker">
            Analyzer
            <select
              value={state.analyzer}
              onChange={(event) => onChange({ ...state, analyzer: event.currentTarget.value })}
            >
              {own.length > 0 && (
                <optgroup label="Of this index">
                  {own.map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </optgroup>
              )}
              <optgroup label="Built in">
                {names
                  .filter((name) => !own.includes(name))
                  .map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
              </optgroup>
            </select>
          </label>
          {defined !== undefined && (
            <button type="button" onClick={() => onChange({ ...state, by: 'chain', chain: defined })}>
              Change its parts
            </button>
          )}
        </div>
      ) : state.by === 'field' ? (
        texts.length === 0 ? (
          <p class="muted">The index has no text fields.</p>
        ) : (
          <label class="picker">
            Field
            <select
              value={state.field}
              onChange={(event) => onChange({ ...state, field: event.currentTarget.value })}
            >
              {[...new Set([state.field, ...texts.map(({ path }) => path)])].filter(Boolean).map((path) => (
                <option key={path} value={path}>
                  {path}
                </option>
              ))}
            </select>
          </label>
        )
      ) : (
        <ChainBuilder
          chain={state.chain}
          definitions={definitions}
          onChange={(chain) => onChange({ ...state, chain })}
        />
      )}
    </Tabs>
  );
}
