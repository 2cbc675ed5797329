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
  for (const sandbox of opened) sandbox.close();
  rmSync(folder, { recursive: true });
});

const terminal = 'pmt_trm_1';
const manual = { mode: 'Manual', card: null } as const;
const away = new Error('the sandbox did not answer');
const rejectAway = (): Promise<never> => Promise.reject(away);

function openControls(): TerminalSimulatorControls {
  const sandbox = openSandbox({ file: join(folder, `${opened.length}.db`), processorDeadlineMs: 100 });
  opened.push(sandbox);
  return terminalSimulatorControls(sandbox);
}
function unreachable(): TerminalSimulatorControls {
  const { terminals, customers } = openControls();
  return {
    terminals: { ...terminals, get: rejectAway, set: rejectAway },
    customers: { ...customers, act: rejectAway, screen: rejectAway },
  };
}

describe('The combined controls of several sandboxes, one of which can not be reached', () => {
  let reachable: TerminalSimulatorControls;
  beforeEach(() => void (reachable = openControls()));

  it.each([
    ['first', () => combinedControls([unreachable(), reachable])],
    ['second', () => combinedControls([reachable, unreachable()])],
  ])('show the terminal and screen of the other one while the %s is unreachable', async (_, combined) => {
    await reachable.terminals.set(terminal, manual);
    const controls = combined();
    expect(await controls.terminals.get(terminal)).toMatchObject({ mode: 'Manual' });
    expect(await controls.customers.screen(terminal)).toMatchObject({ kind: 'Idle' });
  });

  it('set a terminal where they can, and reject because not everywhere', async () => {
    const controls = combinedControls([unreachable(), reachable]);
    await expect(controls.terminals.set(terminal, manual)).rejects.toBe(away);
    expect(await reachable.terminals.get(terminal)).toMatchObject({ mode: 'Manual' });
  });

  it('reject if no sandbox answers', async () => {
    const controls = combinedControls([unreachable(), unreachable()]);
    await expect(controls.terminals.get(terminal)).rejects.toBe(away);
  });
});
