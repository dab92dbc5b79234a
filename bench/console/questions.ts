/** A view, when it is there, and what a person then does in it. */
import type { Page } from 'playwright-core';

export interface Question {
  view: string;
  params: Record<string, string>;
  /** Resolves when the view shows what it was asked for. */
  ready: (page: Page) => Promise<void>;
  act: (page: Page) => Promise<void>;
}

/** Types as a person does, who doesn't wait for what becomes of it. */
const type = async (page: Page, text: string) => {
  for (const letter of text) await page.keyboard.press(letter === ' ' ? 'Space' : letter);
};

export const QUESTIONS: readonly Question[] = [
  {
    view: 'overview',
    params: {},
    ready: (page) => page.getByRole('link', { name: 'texts' }).first().waitFor(),
    async act(page) {
      await page.getByRole('columnheader', { name: 'Documents' }).getByRole('button').first().click();
      await page.getByRole('button', { name: 'Manage texts' }).click();
      await page.keyboard.press('Escape');
    },
  },
  {
    view: 'requests',
    params: {},
    ready: (page) => page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor(),
    async act(page) {
      await page.locator('.cm-content').first().click();
      await page.keyboard.press('Control+a');
      await type(page, 'GET /texts/_search');
      await page.keyboard.press('Enter');
      await page.keyboard.insertText('{"size": 500, "query": {"match_all": {}}}');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+Enter');
      await page.getByText('"hits"').or(page.getByText('hits: ')).first().waitFor();
      await page.keyboard.press('Tab');
    },
  },
  {
    view: 'search',
    params: { index: 'texts', q: 'river' },
    ready: (page) => page.getByRole('list', { name: 'Hits' }).waitFor(),
    async act(page) {
      await page.getByRole('searchbox', { name: 'Query: words' }).click();
      await page.keyboard.press('Control+a');
      await type(page, 'old bridge over the water');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^Explain hit 3/ }).click();
      await page.getByText(/^Ranks third/).waitFor();
    },
  },
  {
    view: 'analysis',
    params: { text: 'The quick brown foxes jumped over the lazy dogs. '.repeat(100) },
    ready: (page) => page.getByRole('list', { name: 'Stages of standard' }).waitFor(),
    async act(page) {
      await page.getByRole('combobox', { name: 'Analyzer' }).selectOption('english');
      await page.getByRole('list', { name: 'Stages of english' }).waitFor();
      await page.getByLabel('Text to analyze').click();
      await type(page, 'more words');
    },
  },
  {
    view: 'documents',
    params: { index: 'texts' },
    ready: (page) => page.getByRole('table').first().waitFor(),
    async act(page) {
      await page.getByRole('row').nth(2).click();
      await page.keyboard.press('Escape');
    },
  },
  {
    view: 'mappings',
    params: { index: 'texts' },
    ready: (page) => page.getByText('title').first().waitFor(),
    async act(page) {
      await page.getByText('title').first().click();
    },
  },
  {
    view: 'aggregations',
    params: { index: 'places', aggs: '{"countries":{"terms":{"field":"country","size":200}}}' },
    ready: (page) => page.getByText('cn', { exact: true }).first().waitFor(),
    async act(page) {
      await page.getByRole('tab').last().click();
      await page.getByRole('tab').first().click();
    },
  },
  {
    view: 'map',
    params: { index: 'places', field: 'location' },
    ready: (page) => page.getByRole('status').getByText(/\d/).first().waitFor(),
    async act(page) {
      await page.getByRole('application', { name: /^Map/ }).focus();
      for (const key of ['+', '+', 'ArrowLeft', 'ArrowUp', '+', '-']) await page.keyboard.press(key);
    },
  },
  {
    view: 'transfer',
    params: { index: 'places' },
    ready: (page) => page.getByRole('button', { name: 'Choose a file' }).waitFor(),
    async act(page) {
      const lines = Array.from({ length: 20_000 }, (_, i) => `{"n":${i},"title":"document number ${i}"}`);
      await page
        .getByLabel('File to import')
        .setInputFiles({ name: 'many.jsonl', mimeType: 'text/plain', buffer: Buffer.from(lines.join('\n')) });
      await page.getByRole('textbox', { name: 'Index' }).click();
      await page.keyboard.press('Control+a');
      await type(page, 'many');
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page
        .getByText(/20,000/)
        .first()
        .waitFor();
    },
  },
];
