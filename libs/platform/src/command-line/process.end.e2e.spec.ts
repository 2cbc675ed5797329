import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';

const COMMAND_LINE = new URL('../../dist/command-line/index.js', import.meta.url);

/** Exit code, and seconds until the end. */
async function run(script: string): Promise<{ readonly code: number | null; readonly seconds: number }> {
  const module = `import { createServer } from 'node:net'; import { endProcess } from '${COMMAND_LINE.href}'; ${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', module], { stdio: 'inherit' });
  const startedAt = performance.now();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, seconds: (performance.now() - startedAt) / 1_000 };
}

it('A command that is done ends at once', async () => {
  const { code, seconds } = await run('endProcess(3);');
  expect(code).toBe(3);
  expect(seconds).toBeLessThan(4.5);
});

it('A command that is done ends after 5 s although something is still open', async () => {
  const { code, seconds } = await run('createServer().listen(0); endProcess(1);');
  expect(code).toBe(1);
  expect(seconds).toBeGreaterThan(4.5);
}, 30_000);
