/** The view of analysis: stages of analyzers, tokens and their places in the text, chains that are tried, two analyzers beside each other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analysisScenario, putTales } from './scenarios/analysis.js';
import { ConsoleSetup, chromiumFile, isTooWide, PHONE, seriousProblems } from './support/consolePage.js';

const COMPARED = 'analysis?index=tales&analyzer=folded&compare=true&analyzer2=english';

describe.runIf(chromiumFile !== undefined)('analysis', () => {
  let setup: ConsoleSetup;

  beforeAll(async () => {
    setup = await ConsoleSetup.start();
    await putTales((method, path, body) => setup.request(method, path, body));
  });
  afterAll(async () => {
    await setup?.close();
  });

  it('is shown stage by stage, compared, tried, made into settings', async () => {
    const page = await setup.open('analysis?index=tales');
    await analysisScenario(page);
    expect(setup.problems).toEqual([]);
  });

  it('of long texts goes piece by piece', async () => {
    const page = await setup.open('analysis');
    const text = `begin ${'some words of a text '.repeat(5000)}end`;
    await page.getByLabel('Text to analyze').fill(text);
    await page.getByText(/Long texts are analyzed in pieces/).waitFor();
    await page.getByText('too long for a link').waitFor();
    await page
      .getByRole('button', { name: /^begin position 1,/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page
      .getByRole('button', { name: /^begin position 1,/ })
      .first()
      .waitFor({ state: 'detached' });
  });

  it('shows errors in the words of the server', async () => {
    const page = await setup.open(
      `analysis?by=chain&chain=${encodeURIComponent('{"tokenizer":{"type":"pattern","pattern":"("},"filter":[]}')}`,
    );
    await page.getByRole('alert').waitFor();
  });

  it.each(['light', 'dark'] as const)('has nothing serious that keeps people out, %s', async (theme) => {
    const page = await setup.open(COMPARED, { theme });
    await page.getByText(/tokens? in common/).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it('fits on a phone', async () => {
    const page = await setup.open(COMPARED, { size: PHONE });
    await page.getByText(/tokens? in common/).waitFor();
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('tab', { name: 'Custom chain' }).first().click();
    await page.getByRole('group', { name: 'Token filters' }).waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(await seriousProblems(page)).toEqual([]);
    expect(setup.problems).toEqual([]);
  });
});
