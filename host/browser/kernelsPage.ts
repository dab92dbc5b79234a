/**
 * The page `kernels.html` of the package: measures the kernels in this browser and draws the figures. Its address may say what: `?only=union&seconds=0.05`
 * begins at once.
 */
import type { Measured } from '../kernels/measure.js';
import { digits, scaled } from '../kernels/table.js';
import { VERSION } from '../version.js';
import type { BenchMessage } from './kernelsWorker.js';

const SVG = 'http://www.w3.org/2000/svg';
const COLUMNS = ['', 'ns each', 'a second', 'bytes/s', 'margin', ''];

function element<E extends HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

const form = element<HTMLFormElement>('options');
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
const [run, stop, copy] = ['run', 'stop', 'copy'].map((id) => element<HTMLButtonElement>(id)) as [
  HTMLButtonElement,
  HTMLButtonElement,
  HTMLButtonElement,
];
const status = element('status');
let worker: Worker | undefined;
let results: Measured[] = [];
let clock = 0;

/** The cases of one question, drawn as they come. */
class QuestionTable {
  readonly #body: HTMLTableSectionElement;
  readonly #bars: [SVGRectElement, number][] = [];

  constructor({ question, item }: Measured) {
    const table = document.createElement('table');
    table.createCaption().textContent = `${question}, by the ${item}`;
    const head = table.createTHead().insertRow();
    for (const name of COLUMNS) head.appendChild(document.createElement('th')).textContent = name;
    this.#body = table.createTBody();
    element('results').append(table);
  }

  add({ case: name, nanoseconds, itemsPerSecond, bytesPerSecond, margin }: Measured): void {
    const row = this.#body.insertRow();
    const bytes = bytesPerSecond === null ? '–' : `${scaled(bytesPerSecond)}B`;
    for (const text of [name, digits(nanoseconds), scaled(itemsPerSecond), bytes, `±${margin.toFixed(1)} %`])
      row.insertCell().textContent = text;
    const cell = row.insertCell();
    cell.className = 'bar';
    const svg = document.createElementNS(SVG, 'svg');
    const bar = document.createElementNS(SVG, 'rect') as SVGRectElement;
    bar.setAttribute('height', '100%');
    svg.append(bar);
    cell.append(svg);
    this.#bars.push([bar, itemsPerSecond]);
    const fastest = Math.max(...this.#bars.map(([, speed]) => speed));
    for (const [each, speed] of this.#bars) each.setAttribute('width', `${(100 * speed) / fastest}%`);
  }
}

function begin(): void {
  end('');
  element('results').replaceChildren();
  results = [];
  let table: QuestionTable | undefined;
  const only = field('only')
    .value.split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  // Bundlers look for just this expression.
  worker = new Worker(new URL('./kernelsWorker.js', import.meta.url), { type: 'module' });
  worker.onerror = ({ message }) => end(`the worker failed: ${message ?? 'its script could not be loaded'}`);
  worker.onmessage = ({ data }: MessageEvent<BenchMessage>) => {
    if (data.kind === 'clock') clock = data.step;
    else if (data.kind === 'error') end(data.message);
    else if (data.kind === 'end') end(`${results.length} cases; the clock's step is ${digits(clock)} ms`);
    else {
      const { result } = data;
      if (table === undefined || results.at(-1)?.question !== result.question)
        table = new QuestionTable(result);
      table.add(result);
      results.push(result);
      copy.disabled = false;
      status.textContent = `${results.length}: ${result.question}, ${result.case}`;
    }
  };
  worker.postMessage({ only, seconds: Number(field('seconds').value) });
  [run.disabled, stop.disabled, copy.disabled] = [true, false, true];
  status.textContent = 'begins …';
}

function end(text: string): void {
  worker?.terminate();
  worker = undefined;
  [run.disabled, stop.disabled] = [false, true];
  status.textContent = text;
}

/** What is copied; also what a program that opens the page reads. */
function asJson(): string {
  const machine = {
    runtime: navigator.userAgent,
    cores: navigator.hardwareConcurrency,
    isolated: crossOriginIsolated,
  };
  const date = new Date().toISOString();
  return JSON.stringify({ resilin: VERSION, date, machine, clockStep: clock, results }, null, 2);
}

form.onsubmit = (event) => {
  event.preventDefault();
  begin();
};
stop.onclick = () => end('stopped');
copy.onclick = async () => {
  try {
    await navigator.clipboard.writeText(asJson());
    status.textContent = 'copied';
  } catch {
    // Pages by http have no clipboard: what is there to be copied is shown.
    const text = document.createElement('textarea');
    text.value = asJson();
    text.rows = 20;
    text.style.width = '100%';
    element('results').prepend(text);
    text.select();
  }
};
const asked = new URLSearchParams(location.search);
for (const name of ['only', 'seconds']) if (asked.has(name)) field(name).value = asked.get(name)!;
if (asked.has('only') || asked.has('seconds')) begin();
