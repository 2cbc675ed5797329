import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountHolders, HolderResult } from '@tillstream/payments';
import { ACCOUNT_HOLDERS } from '../api.parts.js';
import { CommandOf } from '../use-case.js';

/* Repeated under the same command id, a command does nothing a second time. */

export class CreateAccountHolder extends CommandOf<AccountHolders['create']> {}

@CommandHandler(CreateAccountHolder)
export class CreateAccountHolderHandler implements ICommandHandler<CreateAccountHolder> {
  constructor(@Inject(ACCOUNT_HOLDERS) private readonly holders: AccountHolders) {}

  execute({ args: [context, fields] }: CreateAccountHolder): Promise<HolderResult> {
    return this.holders.create(context, fields, context.idempotency?.commandId);
  }
}

/** `id` is an `acc_` id or the merchant's own external id. */
export class ChangeAccountHolder extends CommandOf<AccountHolders['change']> {}

@CommandHandler(ChangeAccountHolder)
export class ChangeAccountHolderHandler implements ICommandHandler<ChangeAccountHolder> {
  constructor(@Inject(ACCOUNT_HOLDERS) private readonly holders: AccountHolders) {}

  execute({ args: [context, id, fields] }: ChangeAccountHolder): Promise<HolderResult> {
    return this.holders.change(context, id, fields, context.idempotency?.commandId);
  }
}

/** `id` is an `acc_` id or the merchant's own external id. */
export class EraseAccountHolder extends CommandOf<AccountHolders['erase']> {}

@CommandHandler(EraseAccountHolder)
export class EraseAccountHolderHandler implements ICommandHandler<EraseAccountHolder> {
  constructor(@Inject(ACCOUNT_HOLDERS) private readonly holders: AccountHolders) {}

  execute({ args: [context, id] }: EraseAccountHolder): Promise<HolderResult> {
    return this.holders.erase(context, id, context.idempotency?.commandId);
  }
}

export const ACCOUNT_HOLDER_HANDLERS = [
  CreateAccountHolderHandler,
  ChangeAccountHolderHandler,
  EraseAccountHolderHandler,
];
