import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountHolders, HolderResult } from '@tillstream/payments';
import { ACCOUNT_HOLDERS } from '../api.parts.js';
import { ChangeAccountHolder, CreateAccountHolder, EraseAccountHolder } from './account-holder.commands.js';

@CommandHandler(CreateAccountHolder)
export class CreateAccountHolderHandler implements ICommandHandler<CreateAccountHolder> {
  constructor(@Inject(ACCOUNT_HOLDERS) private readonly holders: AccountHolders) {}

  execute({ context, fields, commandId }: CreateAccountHolder): Promise<HolderResult> {
    return this.holders.create(context, fields, commandId);
  }
}

@CommandHandler(ChangeAccountHolder)
export class ChangeAccountHolderHandler implements ICommandHandler<ChangeAccountHolder> {
  constructor(@Inject(ACCOUNT_HOLDERS) private readonly holders: AccountHolders) {}

  execute({ context, id, fields, commandId }: ChangeAccountHolder): Promise<HolderResult> {
    return this.holders.change(context, id, fields, commandId);
  }
}

@CommandHandler(EraseAccountHolder)
export class EraseAccountHolderHandler implements ICommandHandler<EraseAccountHolder> {
  constructor(@Inject(ACCOUNT_HOLDERS) private readonly holders: AccountHolders) {}

  execute({ context, id, commandId }: EraseAccountHolder): Promise<HolderResult> {
    return this.holders.erase(context, id, commandId);
  }
}

export const ACCOUNT_HOLDER_HANDLERS = [
  CreateAccountHolderHandler,
  ChangeAccountHolderHandler,
  EraseAccountHolderHandler,
];
