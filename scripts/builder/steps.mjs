/** Steps on a terminal: what is being done and for how long; elsewhere one line for each when it is done. */
const { stderr } = process;
const running = new Map();
let timer;

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

function draw() {
  if (!stderr.isTTY) return;
  const line = [...running].map(([name, since]) => `${name} ${seconds(since)}`).join(' · ');
  stderr.write(`\r\x1b[2K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
}

/** Does one step, and says its name and how long it took. */
export async function step(name, work) {
  const since = performance.now();
  running.set(name, since);
  timer ??= stderr.isTTY ? setInterval(draw, 200) : undefined;
  draw();
  try {
    return await work();
  } finally {
    running.delete(name);
    if (stderr.isTTY) stderr.write('\r\x1b[2K');
    stderr.write(`${name}: ${seconds(since)}\n`);
    if (running.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    draw();
  }
}
