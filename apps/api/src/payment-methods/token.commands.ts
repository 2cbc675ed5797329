import { Command } from '@nestjs/cqrs';
import type { RequestContext, StoreCardRequest, TokenUpdateRequest, TokenResult } from '@tillstream/payments';
import { Observed } from '../metrics/observed.commands.js';

/* Each command is executed by the handler of its name in token.handlers.ts. */

@Observed({ type: 'token_create', span: 'storeFromTerminal' })
export class StoreCardFromTerminal extends Command<TokenResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: StoreCardRequest,
  ) {
    super();
  }
}

@Observed({ type: 'token_update', span: 'update' })
export class UpdateToken extends Command<TokenResult> {
  constructor(
    readonly context: RequestContext,
    readonly tokenId: string,
    readonly change: TokenUpdateRequest,
  ) {
    super();
  }
}

@Observed({ type: 'token_remove', span: 'remove' })
export class RemoveToken extends Command<TokenResult> {
  constructor(
    readonly context: RequestContext,
    readonly tokenId: string,
  ) {
    super();
  }
}
