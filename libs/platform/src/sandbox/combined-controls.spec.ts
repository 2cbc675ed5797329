import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  terminalSimulatorControls,
  openSandbox,
  type Sandbox,
  type TerminalSimulatorControls,
} from '@tillstream/sandbox';
import { combinedControls } from './embedded-sandbox.js';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-worlds-'));
const opened: Sandbox[] = [];
afterAll(() => {
  for (const one of opened) one.close();
  rmSync(folder, { recursive: true });
});

const terminal = 'pmt_trm_1';
const manual = { mode: 'Manual', card: null } as const;
const away = new Error('the sandbox did not answer');
const gone = (): Promise<never> => Promise.reject(away);

function world(): TerminalSimulatorControls {
  const sandbox = openSandbox({ file: join(folder, `${opened.length}.db`), processorDeadlineMs: 100 });
  opened.push(sandbox);
  return terminalSimulatorControls(sandbox);
}
function unreachable(): TerminalSimulatorControls {
  const { terminals, customers } = world();
  return {
    terminals: { ...terminals, get: gone, set: gone },
    customers: { ...customers, act: gone, screen: gone },
  };
}

describe('of several simulated worlds, one of which can not be reached', () => {
  let reachable: TerminalSimulatorControls;
  beforeEach(() => void (reachable = world()));

  it.each([
    ['first', () => combinedControls(unreachable(), [reachable])],
    ['second', () => combinedControls(reachable, [unreachable()])],
  ])('a terminal of the other one is shown, and its page too, where the %s is away', async (_, combined) => {
    await reachable.terminals.set(terminal, manual);
    const controls = combined();
    expect(await controls.terminals.get(terminal)).toMatchObject({ mode: 'Manual' });
    expect(await controls.customers.screen(terminal)).toMatchObject({ kind: 'Idle' });
  });

  it('a terminal is set where it can be, and it is told that it could not be everywhere', async () => {
    const controls = combinedControls(unreachable(), [reachable]);
    await expect(controls.terminals.set(terminal, manual)).rejects.toBe(away);
    expect(await reachable.terminals.get(terminal)).toMatchObject({ mode: 'Manual' });
  });

  it('nothing is made up where none answers', async () => {
    const controls = combinedControls(unreachable(), [unreachable()]);
    await expect(controls.terminals.get(terminal)).rejects.toBe(away);
  });
});
