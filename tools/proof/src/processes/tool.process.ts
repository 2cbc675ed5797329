import { setTimeout } from 'node:timers/promises';
import type { Deployment } from '../support/deployment.js';
import { builtProgram, ProgramProcess } from './program.process.js';

/** A folder under `tools/`. */
export type Tool = 'rebuild' | 'vault-keys';

export interface ToolRun {
  /** Null if a signal ended the tool. */
  readonly code: number | null;
  /** All of stdout and stderr. */
  readonly output: string;
  readonly ms: number;
}

export interface ToolOptions {
  /** SIGKILL after so many ms, unless the tool has ended before. */
  readonly killAfterMs?: number;
}

/** Runs a built command on the data directory until it ends or is killed. */
export async function runTool(
  { dataDir, environment }: Deployment,
  tool: Tool,
  args: readonly string[],
  { killAfterMs }: ToolOptions = {},
): Promise<ToolRun> {
  const startedAt = performance.now();
  let output = '';
  const onOutput = (chunk: Buffer): void => void (output += chunk.toString());
  const program = builtProgram(`tools/${tool}/dist/main.js`);
  const run = new ProgramProcess(program, { cwd: dataDir, environment, onOutput }, args);
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
