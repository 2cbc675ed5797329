import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { StoredCards, TokenResult } from '@tillstream/payments';
import { STORED_CARDS } from '../api.parts.js';
import { RemoveToken, StoreCardFromTerminal, UpdateToken } from './token.commands.js';

@CommandHandler(StoreCardFromTerminal)
export class StoreCardFromTerminalHandler implements ICommandHandler<StoreCardFromTerminal> {
  constructor(@Inject(STORED_CARDS) private readonly storedCards: StoredCards) {}

  execute({ context, request }: StoreCardFromTerminal): Promise<TokenResult> {
    return this.storedCards.storeFromTerminal(context, request);
  }
}

@CommandHandler(UpdateToken)
export class UpdateTokenHandler implements ICommandHandler<UpdateToken> {
  constructor(@Inject(STORED_CARDS) private readonly storedCards: StoredCards) {}

  execute({ context, tokenId, change }: UpdateToken): Promise<TokenResult> {
    return this.storedCards.update(context, tokenId, change);
  }
}

@CommandHandler(RemoveToken)
export class RemoveTokenHandler implements ICommandHandler<RemoveToken> {
  constructor(@Inject(STORED_CARDS) private readonly storedCards: StoredCards) {}

  execute({ context, tokenId }: RemoveToken): Promise<TokenResult> {
    return this.storedCards.remove(context, tokenId);
  }
}

export const TOKEN_HANDLERS = [StoreCardFromTerminalHandler, UpdateTokenHandler, RemoveTokenHandler];
