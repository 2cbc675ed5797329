import type { TerminalControlError } from '@tillstream/sandbox';

/** A refusal for the client: nothing was executed, and nothing will be. */
export class RequestRefused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly status: 400 | 401 | 404 | 409 | 413 | 503,
    message: string,
    readonly code?: TerminalControlError['code'],
  ) {
    super(message);
  }
}
