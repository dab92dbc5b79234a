import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { built } from '../support/server.js';

const run = promisify(execFile);
const host = join(await built(), 'js/host');

it('a node of a cluster names the packages that it needs, where they are not installed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'resilin-nats-'));
  try {
    // Where no node_modules are above.
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    cpSync(host, folder, { recursive: true });
    const script =
      "import('./server/cluster/clusterServices.js').then(({ openClusterServices }) => openClusterServices({})).catch((e) => console.log(e.message))";
    const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder });
    const names = '@nats-io/jetstream @nats-io/kv @nats-io/transport-node';
    expect(stdout).toBe(`a node of a cluster needs the packages ${names}: npm install ${names}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
