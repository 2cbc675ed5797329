import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { FormResult, Forms } from '@tillstream/payments';
import { FORMS } from '../../api.parts.js';

/** Goes on with the form whose challenge has the key. */
export class CompleteChallengeOf extends Command<FormResult> {
  constructor(
    readonly key: string,
    readonly traceId: string,
  ) {
    super();
  }
}

@CommandHandler(CompleteChallengeOf)
export class CompleteChallengeOfHandler implements ICommandHandler<CompleteChallengeOf> {
  constructor(@Inject(FORMS) private readonly forms: Forms) {}

  execute({ key, traceId }: CompleteChallengeOf): Promise<FormResult> {
    return this.forms.completeChallengeOf({ key }, { traceId });
  }
}
