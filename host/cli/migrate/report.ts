/** What will differ, before anything is moved. */
import type { Requests } from '../remote/requests.js';
import { type Finding, findingsText } from './finding.js';
import { findingsOf } from './findings.js';
import type { Inventory } from './inventory.js';
import { scriptFinding, storedScripts } from './structure.js';
import { Trial } from './trial.js';

type Bag = Record<string, unknown>;

const GROOVY_OFF = 'Groovy runs only where it is let';

/** Findings about all that would be moved. @param there indices that the new server has: they keep their settings */
export async function reportOf(
  from: Requests,
  inventory: Inventory,
  there: ReadonlySet<string>,
  stop: AbortSignal,
): Promise<Finding[]> {
  const findings = findingsOf(inventory);
  const trial = await Trial.begin();
  try {
    for (const { name, isClosed, settings, mappings } of inventory.indices) {
      if (stop.aborted) return findings;
      if (there.has(name))
        findings.push({
          about: `index ${name}`,
          what: 'it is there already and keeps its settings',
          todo: 'its mappings are completed',
          isLoss: false,
        });
      else if (!isClosed)
        findings.push(...(await trial.findings({ about: `index ${name}`, settings, mappings })));
    }
    for (const [name, { settings = {}, mappings = {} }] of Object.entries(inventory.templates)) {
      const tried = { settings: withoutPrefix(settings as Bag), mappings: mappings as Record<string, Bag> };
      findings.push(...(await trial.findings({ about: `template ${name}`, ...tried })));
    }
    if (inventory.hasScripts) findings.push(...(await ofScripts(from, trial, stop)));
  } finally {
    await trial.close();
  }
  return findings;
}

async function ofScripts(from: Requests, trial: Trial, stop: AbortSignal): Promise<Finding[]> {
  const findings: Finding[] = [];
  let groovy = 0;
  for await (const script of storedScripts(from, { stop })) {
    const error = await trial.scriptRefusal(script.path, script.source.toString());
    if (error !== undefined) findings.push(scriptFinding(script, error));
    else if (script.language === 'groovy') groovy++;
  }
  if (groovy > 0)
    findings.push({
      about: `${groovy} stored ${groovy === 1 ? 'script' : 'scripts'} in Groovy`,
      what: GROOVY_OFF,
      todo: 'start Resilin with --script-indexed on (and --script-inline on for those in requests): docs/scripts.md',
      isLoss: false,
    });
  return findings;
}

/** Templates have their settings by full names: `index.number_of_shards`. */
function withoutPrefix(settings: Bag): Bag {
  const { index, ...rest } = settings;
  const flat = Object.entries(rest).map(([name, value]) => [name.replace(/^index\./, ''), value] as const);
  return { ...(index as Bag | undefined), ...Object.fromEntries(flat) };
}

/** What is there, and what of it will differ. */
export function reportText(name: string, inventory: Inventory, findings: readonly Finding[]): string {
  const { version, indices, templates } = inventory;
  const documents = indices.reduce((sum, index) => sum + index.documents, 0);
  const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
  const parts = [
    count(indices.length, 'index', 'indices'),
    count(documents, 'document', 'documents'),
    count(Object.keys(templates).length, 'template', 'templates'),
  ];
  const head = `${name} is Elasticsearch ${version}: ${parts.join(', ')}\n`;
  if (findings.length === 0) return `${head}Nothing will differ, as far as can be told before.\n`;
  return `${head}What will differ (! is not moved as it is):\n${findingsText(findings)}`;
}
