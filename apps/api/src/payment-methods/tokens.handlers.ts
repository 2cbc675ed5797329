import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type {
  RequestContext,
  StoreCardRequest,
  StoredCards,
  TokenResult,
  TokenUpdateRequest,
  VirtualTokenRequest,
} from '@tillstream/payments';
import { STORED_CARDS } from '../api.parts.js';
import { OperationCommand } from '../metrics/operation.bus.js';

export class StoreCardFromTerminal extends OperationCommand<TokenResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: StoreCardRequest,
  ) {
    super('token_create', 'storeFromTerminal');
  }
}

@CommandHandler(StoreCardFromTerminal)
export class StoreCardFromTerminalHandler implements ICommandHandler<StoreCardFromTerminal> {
  constructor(@Inject(STORED_CARDS) private readonly storedCards: StoredCards) {}

  execute({ context, request }: StoreCardFromTerminal): Promise<TokenResult> {
    return this.storedCards.storeFromTerminal(context, request);
  }
}

export class StoreCardThroughForm extends OperationCommand<TokenResult> {
  constructor(
    readonly context: RequestContext,
    readonly request: VirtualTokenRequest,
  ) {
    super('token_create', 'storeThroughForm');
  }
}

@CommandHandler(StoreCardThroughForm)
export class StoreCardThroughFormHandler implements ICommandHandler<StoreCardThroughForm> {
  constructor(@Inject(STORED_CARDS) private readonly storedCards: StoredCards) {}

  execute({ context, request }: StoreCardThroughForm): Promise<TokenResult> {
    return this.storedCards.storeThroughForm(context, request);
  }
}

export class UpdateToken extends OperationCommand<TokenResult> {
  constructor(
    readonly context: RequestContext,
    readonly tokenId: string,
    readonly change: TokenUpdateRequest,
  ) {
    super('token_update', 'update');
  }
}

@CommandHandler(UpdateToken)
export class UpdateTokenHandler implements ICommandHandler<UpdateToken> {
  constructor(@Inject(STORED_CARDS) private readonly storedCards: StoredCards) {}

  execute({ context, tokenId, change }: UpdateToken): Promise<TokenResult> {
    return this.storedCards.update(context, tokenId, change);
  }
}

export class RemoveToken extends OperationCommand<TokenResult> {
  constructor(
    readonly context: RequestContext,
    readonly tokenId: string,
  ) {
    super('token_remove', 'remove');
  }
}

@CommandHandler(RemoveToken)
export class RemoveTokenHandler implements ICommandHandler<RemoveToken> {
  constructor(@Inject(STORED_CARDS) private readonly storedCards: StoredCards) {}

  execute({ context, tokenId }: RemoveToken): Promise<TokenResult> {
    return this.storedCards.remove(context, tokenId);
  }
}

export const TOKEN_HANDLERS = [
  StoreCardFromTerminalHandler,
  StoreCardThroughFormHandler,
  UpdateTokenHandler,
  RemoveTokenHandler,
];
