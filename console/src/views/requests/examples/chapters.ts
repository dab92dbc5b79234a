/** The chapters in their order. Each begins with an index of its own and ends with deleting it. */
import { aggregations, geo } from './analytics';
import { bulk, documents } from './basics';
import type { Chapter } from './chapter';
import { nested, relatives } from './joining';
import { aliases, percolate, scroll, suggest } from './more';
import { filters, fullText, mapping, sorting } from './searching';

export const CHAPTERS: readonly Chapter[] = [
  documents,
  bulk,
  mapping,
  fullText,
  filters,
  sorting,
  aggregations,
  geo,
  relatives,
  nested,
  suggest,
  percolate,
  aliases,
  scroll,
];
