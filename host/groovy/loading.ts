/** Loads what runs scripts in Groovy, for engines that let some run. */
import type { Groovy } from '../script/groovy.js';
import type { GroovySettings } from './settings.js';

/** What runs the scripts that settings let run; undefined without settings. */
export async function loadGroovy(settings: GroovySettings | undefined): Promise<Groovy | undefined> {
  if (settings === undefined) return undefined;
  const { GroovyScripts } = await import('./groovy.js');
  return new GroovyScripts(settings);
}
