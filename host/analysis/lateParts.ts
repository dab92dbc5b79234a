/** The analyzers and what they are made of; frequentAnalyzers.ts has those that a field has without being told. */
import { LatePart } from '../latePart.js';
import { frequentAnalyzers } from './frequentAnalyzers.js';

/** Metadata name the analyzer of each field: mostly the index's own, which is a frequent one where settings define none, or '' for none. */
const FREQUENT = [...frequentAnalyzers.keys(), 'default', ''].join('|');

export const analysisParts = new LatePart(
  'what analyzes',
  [`analyzer(?!":"(?:${FREQUENT})")`, 'analysis', '/_analyze', 'pre_filter', 'post_filter'],
  () => import('./everyPart.js'),
);
