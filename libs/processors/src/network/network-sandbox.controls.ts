import {
  isAboutLine,
  isScreenLine,
  isTerminalLine,
  TerminalControlError,
  WIRE_PATHS,
  TERMINAL_SIMULATOR_TABLES,
  type TerminalSimulatorControls,
} from '@tillstream/sandbox';
import { querySandbox } from './sandbox.query.js';
import type { SandboxClient, SandboxPath } from './sandbox.client.js';

/** It did not answer, or not as a sandbox does. Whether what was asked has happened is not known. */
export class SandboxUnreachable extends Error {
  override readonly name = 'SandboxUnreachable';
}

/** What is found where a sandbox should be. */
export type SandboxState =
  | { readonly kind: 'Good'; readonly processorDeadlineMs: number }
  /** It does not know our secret. */
  | { readonly kind: 'WrongSecret' }
  /** Something else answers there. */
  | { readonly kind: 'NoSandbox' }
  | { readonly kind: 'Unreachable'; readonly reason: string };

const CONTROL_TIMEOUT_MS = 5_000;
/** Nobody is kept waiting by one who is asked how it is. */
const STATE_TIMEOUT_MS = 1_500;

/** Turns what can be turned in a sandbox that is a process of its own. */
export class NetworkSandboxControls implements TerminalSimulatorControls {
  readonly terminals: TerminalSimulatorControls['terminals'];
  readonly customers: TerminalSimulatorControls['customers'];

  constructor(private readonly line: SandboxClient) {
    const terminalOf = async (path: SandboxPath, body: object) =>
      (await this.asked(path, body, isTerminalLine)).terminal;
    this.terminals = {
      get: (terminalId) => terminalOf(WIRE_PATHS.terminal, { terminalId }),
      set: (terminalId, { mode, card }) => terminalOf(WIRE_PATHS.setTerminal, { terminalId, mode, card }),
      ...TERMINAL_SIMULATOR_TABLES.terminals,
    };
    this.customers = {
      act: (terminalId, act) => terminalOf(WIRE_PATHS.act, { terminalId, act }),
      screen: async (terminalId) =>
        (await this.asked(WIRE_PATHS.screen, { terminalId }, isScreenLine)).screen,
      ...TERMINAL_SIMULATOR_TABLES.customers,
    };
  }

  /** Tells it the service's clock by asking: each call carries it. */
  async state(): Promise<SandboxState> {
    const asked = await querySandbox(this.line, WIRE_PATHS.about, {}, STATE_TIMEOUT_MS, isAboutLine);
    switch (asked.kind) {
      case 'Answered':
        return { kind: 'Good', processorDeadlineMs: asked.line.processorDeadlineMs };
      case 'Refused':
        return asked.refusal.status === 401
          ? { kind: 'WrongSecret' }
          : { kind: 'Unreachable', reason: asked.refusal.reason };
      case 'Unanswered':
        return asked.strange ? { kind: 'NoSandbox' } : { kind: 'Unreachable', reason: 'it does not answer' };
    }
  }

  private async asked<Line extends { readonly callId: string }>(
    path: SandboxPath,
    body: object,
    reads: (value: unknown) => value is Line,
  ): Promise<Line> {
    const asked = await querySandbox(this.line, path, body, CONTROL_TIMEOUT_MS, reads);
    if (asked.kind === 'Answered') return asked.line;
    if (asked.kind === 'Unanswered') throw new SandboxUnreachable('the sandbox did not answer');
    const { reason, code } = asked.refusal;
    throw code === undefined ? new SandboxUnreachable(reason) : new TerminalControlError(code, reason);
  }
}
