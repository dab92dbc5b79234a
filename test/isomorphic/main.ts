/**
 * Runs the scenario where there is no Node: in Deno and in a browser. Stands at build/isomorphic/test/isomorphic/main.js,
 * the core at build/resilin.wasm; both are reached by URL.
 */
import { runScenario } from './scenario.js';

const response = await fetch(new URL('../../../resilin.wasm', import.meta.url));
const report = await runScenario(await response.arrayBuffer());
console.log(`REPORT ${JSON.stringify(report)}`);
