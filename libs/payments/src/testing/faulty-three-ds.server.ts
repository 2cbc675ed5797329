import type {
  AuthenticationRequest,
  AuthenticationResult,
  ChallengeQuery,
  ChallengeResult,
  ThreeDsServer,
} from '@tillstream/processors';

type Fault = <Result>(ask: () => Promise<Result>) => Promise<Result | { readonly kind: 'NoAnswer' }>;

/** A 3-D Secure server with faults on command. */
export class FaultyThreeDsServer implements ThreeDsServer {
  readonly name: string;
  /** Answers instead of the server, or runs around its answer. */
  fault: Fault | undefined;

  constructor(private readonly inner: ThreeDsServer) {
    this.name = inner.name;
  }

  authenticate(request: AuthenticationRequest): Promise<AuthenticationResult> {
    return this.ask(() => this.inner.authenticate(request));
  }

  challengeResult(query: ChallengeQuery): Promise<ChallengeResult> {
    return this.ask(() => this.inner.challengeResult(query));
  }

  private ask<Result>(ask: () => Promise<Result>): Promise<Result | { readonly kind: 'NoAnswer' }> {
    return this.fault ? this.fault(ask) : ask();
  }
}
