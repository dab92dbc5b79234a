// Writes host/aggregation/hyperLogLogEstimates.ts from scripts/data/hyperloglog.txt. Run `node scripts/generate-hyperloglog.mjs`; with
// --check it only says whether the module is up to date.
import { readFileSync, writeFileSync } from 'node:fs';

const MOST_COLUMNS = 150;
const target = new URL('../host/aggregation/hyperLogLogEstimates.ts', import.meta.url);

/** Lists by their headings, in order. */
const lists = [];
for (const line of readFileSync(new URL('data/hyperloglog.txt', import.meta.url), 'utf8').split('\n')) {
  if (line === '' || line.startsWith('#')) continue;
  if (line.startsWith(' ')) lists.at(-1).numbers.push(...line.trim().split(' '));
  else lists.push({ heading: line, numbers: [] });
}

function paragraph(numbers) {
  const lines = [];
  let line = '';
  for (const number of numbers) {
    if (line !== '' && line.length + 1 + number.length > MOST_COLUMNS) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? number : ` ${number}`;
  }
  return [...lines, line].join('\n');
}

const of = (name) => lists.filter(({ heading }) => heading.startsWith(`${name} of precision`));
const distances = (numbers) => numbers.map((number, i) => number - (numbers[i - 1] ?? 0));
const texts = (numbers) => numbers.map(String);
/** Estimates have four places at most. */
const scaled = (number) => {
  const whole = Math.round(number * 10_000);
  if (whole / 10_000 !== Number(number)) throw new Error(`${number} has more than four places`);
  return whole;
};
const paragraphs = (all) => all.map(paragraph).join('\n\n');

const output = `/** Made by scripts/generate-hyperloglog.mjs of scripts/data/hyperloglog.txt. A paragraph for each precision from 4 on. */

/** What raw estimates are on average, in ten-thousandths: how much more each is beyond the one before than that beyond its own. */
export const ESTIMATES = \`
${paragraphs(of('estimates').map(({ numbers }) => texts(distances(distances(numbers.map(scaled))))))}
\`;

/** The numbers of different values that they belong to, each as its distance from the one before. */
export const COUNTS = \`
${paragraphs(of('values').map(({ numbers }) => texts(distances(numbers))))}
\`;
`;
if (!process.argv.includes('--check')) writeFileSync(target, output);
else if (readFileSync(target, 'utf8') !== output) {
  console.error(
    'host/aggregation/hyperLogLogEstimates.ts is not what scripts/generate-hyperloglog.mjs writes',
  );
  process.exitCode = 1;
}
