import { setTimeout } from 'node:timers/promises';
import type { Deployment } from '../support/deployment.js';
import { ProgramProcess } from './program.process.js';

export interface ToolRun {
  /** Null if a signal ended the tool. */
  readonly code: number | null;
  readonly output: string;
  readonly ms: number;
}

/**
 * Runs a built command of `tools/` on the data directory until it ends.
 *
 * @param killAfterMs SIGKILL after this time, unless the tool has ended before
 */
export async function runTool(
  deployment: Deployment,
  tool: 'audit' | 'rebuild' | 'tillstream' | 'vault-keys',
  args: readonly string[],
  killAfterMs?: number,
): Promise<ToolRun> {
  const startedAt = performance.now();
  let output = '';
  const onOutput = (chunk: Buffer): void => void (output += chunk.toString());
  const run = new ProgramProcess(`tools/${tool}/dist/main.js`, deployment, { args, onOutput });
  if (killAfterMs !== undefined) {
    await Promise.race([run.exit, setTimeout(killAfterMs)]);
    run.signal('SIGKILL');
  }
  const { code } = await run.exit;
  return { code, output, ms: performance.now() - startedAt };
}

/** The exit code and the end of the output, for complaints. */
export const describeRun = ({ code, output }: ToolRun): string =>
  `exit ${code ?? 'by a signal'}: ${output.trim().slice(-600)}`;
