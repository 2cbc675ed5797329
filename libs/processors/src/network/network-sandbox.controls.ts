import {
  isAboutLine,
  isChallengeLine,
  isScreenLine,
  isTerminalLine,
  TerminalControlError,
  WIRE_PATHS,
  TERMINAL_SIMULATOR_TABLES,
  type ChallengeControls,
  type TerminalSimulatorControls,
} from '@tillstream/sandbox';
import type { SandboxClient, SandboxPath, SandboxQuery } from './sandbox.client.js';

/** The sandbox did not answer, or not readably. The request may have been executed. */
export class SandboxUnreachable extends Error {
  override readonly name = 'SandboxUnreachable';
}

/** The state of the server at the configured address. */
export type SandboxState =
  | { readonly kind: 'Good'; readonly processorDeadlineMs: number }
  /** The sandbox refuses the secret. */
  | { readonly kind: 'WrongSecret' }
  /** Another program answers at the address. */
  | { readonly kind: 'NoSandbox' }
  | { readonly kind: 'Unreachable'; readonly reason: string };

const CONTROL_TIMEOUT_MS = 5_000;
/** Short, because health checks wait for it. */
const STATE_TIMEOUT_MS = 1_500;

/** Controls the terminals and challenges of a sandbox that is a process of its own. */
export class NetworkSandboxControls implements TerminalSimulatorControls {
  readonly terminals: TerminalSimulatorControls['terminals'];
  readonly customers: TerminalSimulatorControls['customers'];
  readonly challenges: ChallengeControls;

  constructor(private readonly client: SandboxClient) {
    const queryTerminal = async (path: SandboxPath, body: object) =>
      (await this.query({ path, body, isLine: isTerminalLine })).terminal;
    this.terminals = {
      get: (terminalId) => queryTerminal(WIRE_PATHS.terminal, { terminalId }),
      set: (terminalId, { mode, card }) => queryTerminal(WIRE_PATHS.setTerminal, { terminalId, mode, card }),
      ...TERMINAL_SIMULATOR_TABLES.terminals,
    };
    this.customers = {
      act: (terminalId, act) => queryTerminal(WIRE_PATHS.act, { terminalId, act }),
      screen: async (terminalId) => {
        const query = { path: WIRE_PATHS.screen, body: { terminalId }, isLine: isScreenLine };
        return (await this.query(query)).screen;
      },
      ...TERMINAL_SIMULATOR_TABLES.customers,
    };
    const queryChallenge = async (path: SandboxPath, body: object) =>
      (await this.query({ path, body, isLine: isChallengeLine })).challenge ?? undefined;
    this.challenges = {
      find: (challengeId) => queryChallenge(WIRE_PATHS.challenge, { challengeId }),
      answer: (challengeId, code) => queryChallenge(WIRE_PATHS.answerChallenge, { challengeId, code }),
    };
  }

  /** Also sets the sandbox's clock: each call carries the service's clock. */
  async state(): Promise<SandboxState> {
    const query = { path: WIRE_PATHS.about, body: {}, deadlineMs: STATE_TIMEOUT_MS, isLine: isAboutLine };
    const result = await this.client.query(query);
    switch (result.kind) {
      case 'Answered':
        return { kind: 'Good', processorDeadlineMs: result.line.processorDeadlineMs };
      case 'Refused':
        return result.refusal.status === 401
          ? { kind: 'WrongSecret' }
          : { kind: 'Unreachable', reason: result.refusal.reason };
      case 'Unanswered':
        return result.unreadable
          ? { kind: 'NoSandbox' }
          : { kind: 'Unreachable', reason: 'it does not answer' };
    }
  }

  private query<Line extends { readonly callId: string }>(query: ControlQuery<Line>): Promise<Line> {
    return controlQuery(this.client, query);
  }
}

export type ControlQuery<Line extends { readonly callId: string }> = Omit<SandboxQuery<Line>, 'deadlineMs'>;

/** @throws SandboxUnreachable; TerminalControlError if the sandbox refuses a setting or a customer's action */
export async function controlQuery<Line extends { readonly callId: string }>(
  client: SandboxClient,
  query: ControlQuery<Line>,
): Promise<Line> {
  const result = await client.query({ ...query, deadlineMs: CONTROL_TIMEOUT_MS });
  if (result.kind === 'Answered') return result.line;
  if (result.kind === 'Unanswered') throw new SandboxUnreachable('the sandbox did not answer');
  const { reason, code } = result.refusal;
  throw code === undefined ? new SandboxUnreachable(reason) : new TerminalControlError(code, reason);
}
