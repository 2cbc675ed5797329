import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { IssuedApiKey } from '@tillstream/domain';
import type { IssuedKey, NewApiKey, Provisioning } from '@tillstream/payments';
import type { OperatorRequest } from '../../access/request.decorators.js';
import { PROVISIONING } from '../../api.parts.js';

export class IssueApiKey extends Command<IssuedKey> {
  constructor(
    readonly request: OperatorRequest,
    readonly merchantId: string,
    readonly key: NewApiKey,
  ) {
    super();
  }
}

export class RevokeApiKey extends Command<IssuedApiKey> {
  constructor(
    readonly request: OperatorRequest,
    readonly merchantId: string,
    readonly keyId: string,
  ) {
    super();
  }
}

@CommandHandler(IssueApiKey)
export class IssueApiKeyHandler implements ICommandHandler<IssueApiKey> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({ request: { actor, ...request }, merchantId, key }: IssueApiKey): Promise<IssuedKey> {
    return this.provisioning.issueApiKey(actor, merchantId, key, request);
  }
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({ request: { actor, ...request }, merchantId, keyId }: RevokeApiKey): Promise<IssuedApiKey> {
    return this.provisioning.revokeApiKey(actor, merchantId, keyId, request);
  }
}

export const API_KEY_HANDLERS = [IssueApiKeyHandler, RevokeApiKeyHandler];
