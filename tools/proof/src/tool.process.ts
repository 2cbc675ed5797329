import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Site } from './site.js';

/** An operator's command, by the folder of its tool. */
export type Tool = 'rebuild' | 'vault-keys';

export interface ToolRun {
  /** Null: a signal ended it. */
  readonly code: number | null;
  /** Everything that it wrote. */
  readonly output: string;
  readonly ms: number;
}

export interface ToolOptions {
  /** SIGKILL after so many ms, unless it has ended before. */
  readonly killAfterMs?: number;
}

/** Runs the built command on the site's data directory, to its end or to its being killed. */
export async function runTool(
  { dataDir, environment }: Site,
  tool: Tool,
  args: readonly string[],
  { killAfterMs }: ToolOptions = {},
): Promise<ToolRun> {
  const program = fileURLToPath(new URL(`../../${tool}/dist/main.js`, import.meta.url));
  if (!existsSync(program)) throw new Error(`${program} is missing: build first (npm run build)`);
  const { PATH } = process.env;
  const env = { ...environment, ...(PATH !== undefined && { PATH }) };
  const since = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    cwd: dataDir,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endWithUs = (): boolean => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  if (killAfterMs !== undefined) {
    await Promise.race([ended, setTimeout(killAfterMs)]);
    child.kill('SIGKILL');
  }
  const code = await ended;
  process.removeListener('exit', endWithUs);
  return { code, output, ms: performance.now() - since };
}

/** For complaints: the end of what it wrote. */
export const endOf = ({ code, output }: ToolRun): string =>
  `exit ${code ?? 'by a signal'}: ${output.trim().slice(-600)}`;
