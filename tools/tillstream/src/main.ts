import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { prepareProcess, processInfo } from '@tillstream/platform';
import {
  abortOnSignal,
  endProcess,
  processTerminal,
  SIGNAL_CODES,
  type EndingSignal,
} from '@tillstream/platform/command-line';
import type { Tool } from './command.types.js';
import { tillstream } from './tillstream.command.js';

endProcess(
  await tillstream(process.argv.slice(2), {
    environment: prepareProcess(),
    terminal: processTerminal(),
    user: userName(),
    version: processInfo('tillstream', '').version,
    signal: abortOnSignal,
    runTool,
  }),
);

/** The user of a container may have no name. */
function userName(): string {
  try {
    return userInfo().username || `user ${process.getuid?.() ?? 'unknown'}`;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Passes signals on: the tool decides what a signal means, and how long it takes to end. */
async function runTool(tool: Tool, args: readonly string[]): Promise<number> {
  const program = fileURLToPath(new URL(`../../${tool}/dist/main.js`, import.meta.url));
  if (!existsSync(program)) {
    console.error(`tools/${tool} is not built; run npm run build first.`);
    return 1;
  }
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  const passOn = (signal: EndingSignal): void => void child.kill(signal);
  process.on('SIGINT', passOn).on('SIGTERM', passOn);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  process.off('SIGINT', passOn).off('SIGTERM', passOn);
  return code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? SIGNAL_CODES[signal] : 1);
}
