/** A view, when it is there, and what a person then does in it. */
import type { Page } from 'playwright-core';

export interface Question {
  view: string;
  params: Record<string, string>;
  /** Resolves when the view shows what it was asked for. */
  ready: (page: Page) => Promise<void>;
  act: (page: Page) => Promise<void>;
}

export const QUESTIONS: readonly Question[] = [
  {
    view: 'overview',
    params: {},
    ready: (page) => page.getByRole('link', { name: 'texts' }).first().waitFor(),
    async act(page) {
      await page.getByRole('columnheader', { name: 'Documents' }).getByRole('button').first().click();
      await page.keyboard.press('Tab');
    },
  },
];
