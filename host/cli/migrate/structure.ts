/** What is moved besides documents: an index with its mappings, aliases and warmers; templates; stored scripts and search templates. */
import { type Hit, metadataText } from '../remote/hits.js';
import { isIndex, makeIndex } from '../remote/indexMaking.js';
import type { Place } from '../remote/place.js';
import { type ReadingOptions, readDocuments } from '../remote/reading.js';
import { askJson, encoded, errorOf, Refused, type Requests } from '../remote/requests.js';
import { lastCause } from './causes.js';
import type { Finding } from './finding.js';
import { type Inventory, type OldIndex, SCRIPTS } from './inventory.js';

const CONFLICT = 409;
const BAD_REQUEST = 400;

/** What came of it. */
export interface Structure {
  /** Whether documents can come. */
  isThere: boolean;
  findings: Finding[];
}

/** Makes an index, or completes it where it is there: then it keeps its settings, and mappings that disagree. */
export async function moveStructure(to: Requests, index: OldIndex): Promise<Structure> {
  const { name, settings, aliases, warmers } = index;
  const mappings = withoutTransforms(index.mappings);
  const about = `index ${name}`;
  const findings: Finding[] = [];
  const add = (of: string, what: string, todo: string, isLoss: boolean) =>
    findings.push({ about: of, what, todo, isLoss });
  if (!(await isIndex(to, name))) {
    const error = await refusal(() => makeIndex(to, name, { settings: { index: settings }, mappings }));
    if (error !== undefined) {
      add(about, `it can't be made: ${error}`, 'make it yourself with other settings and run again', true);
      return { isThere: false, findings };
    }
  } else
    for (const [type, mapping] of Object.entries(mappings)) {
      const error = await refusal(() => makeIndex(to, name, { mappings: { [type]: mapping } }));
      const what = `its mapping stays as it is here: ${error}`;
      if (error !== undefined) add(`${about}, type ${type}`, what, 'see that it is what you want', false);
    }
  for (const [alias, body] of Object.entries(aliases)) {
    const actions = JSON.stringify({ actions: [{ add: { index: name, alias, ...body } }] });
    const error = await refusal(() => askJson(to, 'POST', '/_aliases', actions));
    if (error !== undefined)
      add(`${about}, alias ${alias}`, `it is refused: ${error}`, 'make another one', true);
  }
  for (const [warmer, { types = [], source }] of Object.entries(warmers)) {
    const at = types.length === 0 ? '' : `/${encoded(types.join(','))}`;
    const path = `/${encoded(name)}${at}/_warmer/${encoded(warmer)}`;
    const error = await refusal(() => askJson(to, 'PUT', path, JSON.stringify(source)));
    if (error !== undefined)
      add(`${about}, warmer ${warmer}`, `it is refused: ${error}`, 'make another one', true);
  }
  return { isThere: true, findings };
}

/** Puts templates; after all indices are made, since they would change what those have. */
export async function moveTemplates(to: Requests, { templates }: Inventory): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, template] of Object.entries(templates)) {
    const path = `/_template/${encoded(name)}`;
    const error = await refusal(() => askJson(to, 'PUT', path, JSON.stringify(template)));
    if (error !== undefined)
      findings.push({
        about: `template ${name}`,
        what: `it is refused: ${error}`,
        todo: 'make another one',
        isLoss: true,
      });
  }
  return findings;
}

/** A stored script or search template, as it is put. */
export interface StoredScript {
  language: string;
  id: string;
  /** JSON. */
  version: string;
  path: string;
  source: Buffer;
}

/** All that is stored. */
export async function* storedScripts(from: Requests, reading: ReadingOptions): AsyncGenerator<StoredScript> {
  for await (const page of readDocuments(from, { index: SCRIPTS, size: 100 }, reading))
    for (const hit of page) yield scriptOf(hit);
}

function scriptOf({ id, metadata, source }: Hit): StoredScript {
  const language = String(JSON.parse(metadata.get('_type') ?? '""'));
  const at = language === 'mustache' ? '/_search/template' : `/_scripts/${encoded(language)}`;
  return { language, id, version: metadata.get('_version') ?? '1', path: `${at}/${encoded(id)}`, source };
}

/** What a script that isn't taken is told as. */
export function scriptFinding({ language, id }: StoredScript, error: string): Finding {
  return {
    about: `stored script ${language}/${id}`,
    what: `it is refused: ${error}`,
    todo: 'write it as an expression or in Groovy: docs/scripts.md',
    isLoss: true,
  };
}

/** Puts a script; whether that changed anything, or why it was refused. */
export async function moveScript(
  to: Requests,
  { path, version, source }: StoredScript,
): Promise<{ isNew: boolean; error: string | undefined }> {
  const answer = await to.send('PUT', `${path}?version=${version}&version_type=external`, source);
  if (answer.status === CONFLICT) return { isNew: false, error: undefined };
  const error = answer.status >= 300 ? lastCause(errorOf(answer)) : undefined;
  return { isNew: error === undefined, error };
}

/** What a document that has no source is refused with. */
export function withoutSourceRefusal(metadata: ReadonlyMap<string, string>, place: Place) {
  const action = `{"index":{${metadataText(metadata)}}}`;
  return { place, status: BAD_REQUEST, reason: 'its source is not stored', action, source: undefined };
}

/** A type with a transform would have all its documents refused: its scripts don't run. */
function withoutTransforms(mappings: OldIndex['mappings']): OldIndex['mappings'] {
  return Object.fromEntries(
    Object.entries(mappings).map(([type, { transform: _, ...mapping }]) => [type, mapping]),
  );
}

/** What a refusal says; undefined if there was none. What isn't one is thrown on. */
async function refusal(ask: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await ask();
    return undefined;
  } catch (e) {
    const isOne = e instanceof Refused && ((e.status >= 400 && e.status < 429) || e.status === 500);
    if (!isOne || e.status === 401 || e.status === 403) throw e;
    return lastCause(e.message);
  }
}
