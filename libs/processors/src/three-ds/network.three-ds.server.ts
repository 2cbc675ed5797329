import {
  isAuthenticationLine,
  isChallengeResultLine,
  WIRE_PATHS,
  type AuthenticateBody,
  type AuthenticationLine,
  type ChallengeResultBody,
  type ChallengeResultLine,
} from '@tillstream/sandbox';
import type {
  AuthenticationRequest,
  AuthenticationResult,
  ChallengeQuery,
  ChallengeResult,
  ThreeDsServer,
} from './three-ds.port.js';
import { toAuthenticationResult, toCardAuthentication } from './sandbox-three-ds.mapping.js';
import type { SandboxClient } from '../network/sandbox.client.js';

export interface NetworkThreeDsServerOptions {
  readonly client: SandboxClient;
  /** Default: `sandbox`. */
  readonly name?: string;
}

/**
 * The simulated 3-D Secure server of a sandbox that is a process of its own. Only a line that names the call and the key is
 * a result.
 */
export class NetworkThreeDsServer implements ThreeDsServer {
  readonly name: string;
  private readonly client: SandboxClient;

  constructor({ client, name = 'sandbox' }: NetworkThreeDsServerOptions) {
    this.name = name;
    this.client = client;
  }

  async authenticate(request: AuthenticationRequest): Promise<AuthenticationResult> {
    const body: AuthenticateBody = toCardAuthentication(request);
    const isLine = (value: unknown): value is AuthenticationLine =>
      isAuthenticationLine(value) && value.key === body.key;
    const { deadlineMs } = request;
    const result = await this.client.query({ path: WIRE_PATHS.authenticate, body, deadlineMs, isLine });
    return toAuthenticationResult(result.kind === 'Answered' ? result.line.authentication : undefined);
  }

  async challengeResult({ key, challengeId, deadlineMs }: ChallengeQuery): Promise<ChallengeResult> {
    const body: ChallengeResultBody = { key, challengeId };
    const isLine = (value: unknown): value is ChallengeResultLine =>
      isChallengeResultLine(value) && value.key === key;
    const result = await this.client.query({ path: WIRE_PATHS.challengeResult, body, deadlineMs, isLine });
    return result.kind === 'Answered' ? result.line.result : { kind: 'NoAnswer' };
  }
}
