import { CommandHandler } from '@nestjs/cqrs';
import type { StoredCards } from '@tillstream/payments';
import { STORED_CARDS } from '../api.parts.js';
import { Observed } from '../metrics/observed.commands.js';
import { CommandOf, handlerOf } from '../use-case.js';

@Observed({ type: 'token_create', span: 'storeFromTerminal' })
export class StoreCardFromTerminal extends CommandOf<StoredCards['storeFromTerminal']> {}

@CommandHandler(StoreCardFromTerminal)
export class StoreCardFromTerminalHandler extends handlerOf(STORED_CARDS, 'storeFromTerminal') {}

@Observed({ type: 'token_update', span: 'update' })
export class UpdateToken extends CommandOf<StoredCards['update']> {}

@CommandHandler(UpdateToken)
export class UpdateTokenHandler extends handlerOf(STORED_CARDS, 'update') {}

@Observed({ type: 'token_remove', span: 'remove' })
export class RemoveToken extends CommandOf<StoredCards['remove']> {}

@CommandHandler(RemoveToken)
export class RemoveTokenHandler extends handlerOf(STORED_CARDS, 'remove') {}

export const TOKEN_HANDLERS = [StoreCardFromTerminalHandler, UpdateTokenHandler, RemoveTokenHandler];
