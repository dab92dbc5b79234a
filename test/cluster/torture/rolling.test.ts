import { describe, expect, it } from 'vitest';
import { serverFile } from '../../support/server.js';
import { natsVersion } from '../harness/natsServers.js';
import { rollingRestart } from './rolling.js';

const main = await serverFile();

describe.skipIf(natsVersion() === undefined)('nodes that are started again, one after the other', () => {
  it('fail no request of clients that retry connections, and lose nothing', async () => {
    const { problems, acknowledged } = await rollingRestart({
      ...{ main, natsServers: 1, nodes: 3, turns: 1, seed: 3, writers: 3 },
    });
    expect(problems).toEqual([]);
    expect(acknowledged).toBeGreaterThan(20);
  });
});
