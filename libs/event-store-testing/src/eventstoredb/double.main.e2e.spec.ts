import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { aClient, readAll, numberedJsonEvents } from './double.fixture.js';

const MAIN = fileURLToPath(new URL('../../dist/eventstoredb/double.main.js', import.meta.url));

describe('the double in its own process', () => {
  it('prints its address and its kind, serves, and ends at a signal', async () => {
    const child = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'pipe', 'pipe'] });
    const warning = once(child.stderr, 'data');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const client = aClient(url);
    await client.appendToStream('s', numberedJsonEvents(2));
    expect(await readAll(client.readStream('s'))).toHaveLength(2);
    expect(String((await warning)[0])).toContain('test double');
    await client.dispose();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('refuses an invalid port', async () => {
    const child = spawn(process.execPath, [MAIN, 'http'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const [said] = (await once(child.stderr, 'data')) as [Buffer];
    expect(said.toString()).toContain('0 to 65535');
    expect(await once(child, 'exit')).toEqual([1, null]);
  });
});
