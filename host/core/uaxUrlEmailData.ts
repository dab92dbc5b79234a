/** The automaton of the tokenizer that finds URLs and e-mail addresses: as large as a tenth of the core. */
import { LatePart } from '../latePart.js';

export const uaxUrlEmailData = new LatePart(
  'the automaton of uax_url_email',
  ['uax_?url'],
  () => import('./uaxUrlEmailAutomaton.js'),
);
