/** The worker that holds the engine of {@link createWorkerEngine} in what bundlers make: all in one file. */
import { compileCore } from './core.js';
import { openShared } from './sharedEngine.js';
import { answerMessages } from './workerMessages.js';

answerMessages((options) => openShared(options, compileCore));
