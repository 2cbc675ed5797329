import { Command } from '@nestjs/cqrs';
import type { HolderFields, HolderResult, RequestContext } from '@tillstream/payments';

/* What a merchant can ask of account holders. `commandId`: repeated under it, a command does nothing a second time. */

type Fields = HolderFields & { readonly externalId?: string };

export class CreateAccountHolder extends Command<HolderResult> {
  constructor(
    readonly context: RequestContext,
    readonly fields: Fields,
    readonly commandId?: string,
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
    readonly commandId?: string,
  ) {
    super();
  }
}

/** `id` as in `ChangeAccountHolder`. */
export class EraseAccountHolder extends Command<HolderResult> {
  constructor(
    readonly context: RequestContext,
    readonly id: string,
    readonly commandId?: string,
  ) {
    super();
  }
}
