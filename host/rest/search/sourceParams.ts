/** The parameters that say which parts of a source are wanted. */

import { filterSource, type SourceFilter } from '../../json/rawJson.js';
import { isFalse, isTrue } from '../../numbers/javaBooleans.js';
import { Raw } from '../json.js';

/** Which parts of sources an answer shows. */
export interface SourceChoice extends SourceFilter {
  enabled: boolean;
}

/** From `_source`, `_source_include` and `_source_exclude`; undefined if none is given. */
export function sourceParams(query: ReadonlyMap<string, string>): SourceChoice | undefined {
  const given = query.get('_source');
  const include = query.get('_source_include') ?? query.get('_source_includes');
  const exclude = query.get('_source_exclude') ?? query.get('_source_excludes');
  if (given === undefined && include === undefined && exclude === undefined) return undefined;
  let enabled = true;
  let includes: string[] = [];
  if (given !== undefined) {
    if (isFalse(given)) enabled = false;
    else if (!isTrue(given)) includes = list(given);
  }
  if (include !== undefined) includes = list(include);
  return { enabled, includes, excludes: exclude === undefined ? [] : list(exclude) };
}

/** The source as an answer shows it; undefined if it isn't wanted. */
export function shownSource(source: Uint8Array, choice: SourceChoice | undefined): Raw | undefined {
  if (source.length === 0) return undefined;
  if (choice === undefined) return new Raw(source);
  return choice.enabled ? new Raw(filterSource(source, choice)) : undefined;
}

function list(text: string): string[] {
  return text.split(',').filter((part) => part !== '');
}
