/**
 * The same without a bundler: the engine is the file that pages have (scripts/builder/package.mjs), which imports the parts that few need
 * when it needs them.
 */
import { createEngine } from './index.js';
import { answerMessages } from './workerMessages.js';

answerMessages(createEngine);
