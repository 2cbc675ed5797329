import { Command } from '@nestjs/cqrs';
import type { HolderFields, HolderResult, RequestContext } from '@tillstream/payments';

/* Each command is executed by the handler of its name in account-holder.handlers.ts. */

type Fields = HolderFields & { readonly externalId?: string };

export class CreateAccountHolder extends Command<HolderResult> {
  constructor(
    readonly context: RequestContext,
    readonly fields: Fields,
  ) {
    super();
  }
}

/** `id` is an `acc_` id or the merchant's own external id. */
export class ChangeAccountHolder extends Command<HolderResult> {
  constructor(
    readonly context: RequestContext,
    readonly id: string,
    readonly fields: Fields,
  ) {
    super();
  }
}

/** `id` as in `ChangeAccountHolder`. */
export class EraseAccountHolder extends Command<HolderResult> {
  constructor(
    readonly context: RequestContext,
    readonly id: string,
  ) {
    super();
  }
}
