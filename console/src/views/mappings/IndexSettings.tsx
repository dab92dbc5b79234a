/** The settings of an index, its analyzers first. */
import { isObject, type JsonObject, writeJson } from '../../api/json';
import { linkTo } from '../../app/location';
import { JsonTree } from '../../components/JsonTree';
import { Panel } from '../../components/Panel';

const PARTS = ['char_filter', 'tokenizer', 'filter'] as const;

export function IndexSettings({ name, settings }: { name: string; settings: JsonObject }) {
  const analysis = isObject(settings.analysis) ? settings.analysis : {};
  const analyzers = Object.entries(isObject(analysis.analyzer) ? analysis.analyzer : {});
  return (
    <Panel title={`Settings of ${name}`} class="settings">
      {analyzers.length > 0 && (
        <>
          <h3>Analyzers</h3>
          <ul class="analyzers">
            {analyzers.map(([analyzer, definition]) => (
              <li key={analyzer}>
                <a href={linkTo('analysis', { index: name, analyzer })}>{analyzer}</a>
                <span class="muted">{describe(definition)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <JsonTree value={settings} depth={2} name="index" />
    </Panel>
  );
}

/** The parts of a chain in their order. */
function describe(definition: unknown): string {
  if (!isObject(definition)) return '';
  const parts = PARTS.flatMap((part) => {
    const value = definition[part];
    return value === undefined ? [] : [Array.isArray(value) ? value.map(String).join(', ') : String(value)];
  });
  if (parts.length > 0) return parts.join(' → ');
  return typeof definition.type === 'string' ? definition.type : writeJson(definition);
}
