/** Which analyzer `_analyze` means by a field, or by nothing. */
import type { AnalyzerRegistry } from '../../analysis/registry.js';
import { illegalArgument } from '../../errors.js';
import type { OpenIndex } from '../../metadata/openIndex.js';

/** The types of fields whose values are no texts. */
const NUMERIC = new Set(['long', 'integer', 'short', 'byte', 'double', 'float', 'date', 'ip', 'token_count']);

/** The name of the analyzer that a field's values are indexed with; the default one where there is no such field. */
export function analyzerOfField(
  registry: AnalyzerRegistry,
  index: OpenIndex | undefined,
  field: string,
): string {
  if (index === undefined) {
    throw illegalArgument(
      'No index provided, and trying to analyzer based on a specific field which requires the index parameter',
    );
  }
  const found = index.model.find(field)?.field;
  if (found !== undefined && NUMERIC.has(found.type)) {
    throw illegalArgument(
      `Can't process field [${field}], Analysis requests are not supported on numeric fields`,
    );
  }
  const name = found?.indexAnalyzer();
  return name !== undefined && registry.has(name) ? name : defaultAnalyzer(registry);
}

/** The name of the analyzer of texts of which nothing is said. */
export function defaultAnalyzer(registry: AnalyzerRegistry): string {
  return registry.has('default_index') ? 'default_index' : 'default';
}
