import { undefinedOnError, type Sandbox } from '@tillstream/sandbox';
import type {
  AuthenticationRequest,
  AuthenticationResult,
  ChallengeQuery,
  ChallengeResult,
  ThreeDsServer,
} from './three-ds.port.js';
import { toAuthenticationResult, toCardAuthentication } from './sandbox-three-ds.mapping.js';

export interface SandboxThreeDsServerOptions {
  readonly sandbox: Pick<Sandbox, 'threeDs'>;
  /** Default: `sandbox`. */
  readonly name?: string;
}

/** The simulated 3-D Secure server, in process. Its calls do not wait, so they need no deadline. */
export class SandboxThreeDsServer implements ThreeDsServer {
  readonly name: string;
  private readonly threeDs: Sandbox['threeDs'];

  constructor({ sandbox, name = 'sandbox' }: SandboxThreeDsServerOptions) {
    this.name = name;
    this.threeDs = sandbox.threeDs;
  }

  async authenticate(request: AuthenticationRequest): Promise<AuthenticationResult> {
    return toAuthenticationResult(
      undefinedOnError(() => this.threeDs.authenticate(toCardAuthentication(request))),
    );
  }

  async challengeResult({ key, challengeId }: ChallengeQuery): Promise<ChallengeResult> {
    return undefinedOnError(() => this.threeDs.result(key, challengeId)) ?? { kind: 'NoAnswer' };
  }
}
