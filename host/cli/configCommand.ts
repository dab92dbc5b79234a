/** `resilin config`: the settings that a server would be started with, and where each comes from. */
import type { ServerSettings } from './serverSettings.js';

export const CONFIG_HELP = `resilin config - what a server is started with

  resilin config [--config FILE] [any flag of the server]

prints each setting, its value, and where that comes from: a flag, a variable of the environment, a line of the file, or the
default. What of the file isn't understood stands behind; its values aren't shown. Leaves with 2 where something is wrong.
`;

/** Prints the settings; returns the status to leave with. */
export function runConfig(
  { inForce, warnings, problems }: ServerSettings,
  print: (line: string) => void,
  complain: (line: string) => void,
): number {
  const width = (of: (setting: ServerSettings['inForce'][number]) => string) =>
    Math.max(...inForce.map((setting) => of(setting).length));
  const [names, values] = [width(({ name }) => name), width(({ value }) => value || '-')];
  for (const { name, value, from } of inForce)
    print(`${name.padEnd(names)}  ${(value || '-').padEnd(values)}  ${from}`);
  for (const warning of warnings) complain(`resilin: ${warning}`);
  for (const problem of problems) complain(`resilin: ${problem}`);
  return problems.length > 0 ? 2 : 0;
}
