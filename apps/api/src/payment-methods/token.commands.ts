import { Command } from '@nestjs/cqrs';
import type { RequestContext, StoreCardRequest, TokenUpdateRequest, TokenResult } from '@tillstream/payments';

/* What a merchant can ask of stored cards. Each goes to the handler of its name in token.handlers.ts. */

export class StoreCardFromTerminal extends Command<TokenResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: StoreCardRequest,
  ) {
    super();
  }
}

export class UpdateToken extends Command<TokenResult> {
  constructor(
    readonly context: RequestContext,
    readonly tokenId: string,
    readonly change: TokenUpdateRequest,
  ) {
    super();
  }
}

export class RemoveToken extends Command<TokenResult> {
  constructor(
    readonly context: RequestContext,
    readonly tokenId: string,
  ) {
    super();
  }
}
