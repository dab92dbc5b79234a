/** What a mapping wants to become of its documents before they are indexed: scripts, which never run. */
import { type ElasticsearchError, illegalArgument, mapperParsing } from '../errors.js';
import type { ScriptKind } from '../expression/disabled.js';
import { disabledScripts } from '../expression/lateDisabled.js';
import { isObject, type JsonObject, javaText, textOf } from '../json/values.js';

const KINDS: readonly (readonly [key: string, kind: ScriptKind])[] = [
  ['script', 'inline'],
  ['script_id', 'indexed'],
  ['script_file', 'file'],
];

/** One script. */
export interface SourceTransform {
  kind: ScriptKind;
  script: string;
  lang: string | undefined;
  params: unknown;
}

/** Reads them; an object without a script is none. @throws 400 if that is neither an object nor a list of objects */
export function readTransforms(given: unknown): SourceTransform[] {
  if (given === undefined) return [];
  if (isObject(given)) return [...readOne(given)];
  if (!Array.isArray(given))
    throw mapperParsing(`Transform must be an object or an array but was:  ${javaText(given)}`);
  return given.flatMap((each) => {
    if (!isObject(each))
      throw mapperParsing(`Elements of transform list must be objects but one was:  ${javaText(given)}`);
    return [...readOne(each)];
  });
}

function* readOne(given: JsonObject): Generator<SourceTransform> {
  for (const [key, kind] of KINDS) {
    const script = textOf(given[key]);
    if (script === undefined) continue;
    yield { kind, script, lang: textOf(given.lang), params: given.params };
    return;
  }
}

/** As GET _mapping shows them; undefined where there are none. */
export function transformsJSON(transforms: readonly SourceTransform[]): unknown {
  const shown = transforms.map(
    ({ script, lang, params }): JsonObject => ({
      script,
      lang: lang ?? null,
      ...(isObject(params) ? { params } : {}),
    }),
  );
  return shown.length > 1 ? shown : shown[0];
}

/** 400: why a document can't be indexed that a script would have to change before. */
export function transformFailed({ kind, script, lang = 'groovy' }: SourceTransform): ElasticsearchError {
  const cause = disabledScripts.loaded.scriptDisabled(kind, script, lang, 'mapping');
  return mapperParsing('failed to parse', illegalArgument('failed to execute script', cause));
}
