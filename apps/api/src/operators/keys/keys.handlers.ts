import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type { AdminKey } from '@tillstream/domain/service';
import type { IssuedApiKey } from '@tillstream/domain';
import type { IssuedKey, NewApiKey, Provisioning } from '@tillstream/payments';
import type { Config } from '@tillstream/platform';
import type { OperatorRequest } from '../../access/caller.js';
import { MODE, PROVISIONING } from '../../api.parts.js';

export class IssueApiKey extends Command<IssuedKey> {
  constructor(
    readonly operator: OperatorRequest,
    readonly merchantId: string,
    readonly wanted: Omit<NewApiKey, 'mode'>,
  ) {
    super();
  }
}

@CommandHandler(IssueApiKey)
export class IssueApiKeyHandler implements ICommandHandler<IssueApiKey> {
  constructor(
    @Inject(PROVISIONING) private readonly provisioning: Provisioning,
    @Inject(MODE) private readonly mode: Config['mode'],
  ) {}

  execute({ operator, merchantId, wanted }: IssueApiKey): Promise<IssuedKey> {
    // A test key never reaches the processors of live mode, nor a live key those of the sandbox.
    const mode = this.mode === 'live' ? 'live' : 'test';
    return this.provisioning.issueApiKey(operator.actor, merchantId, { ...wanted, mode }, operator);
  }
}

export class RevokeApiKey extends Command<IssuedApiKey> {
  constructor(
    readonly operator: OperatorRequest,
    readonly merchantId: string,
    readonly keyId: string,
  ) {
    super();
  }
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({ operator, merchantId, keyId }: RevokeApiKey): Promise<IssuedApiKey> {
    return this.provisioning.revokeApiKey(operator.actor, merchantId, keyId, operator);
  }
}

export class ListAdminKeys extends Query<readonly AdminKey[]> {}

@QueryHandler(ListAdminKeys)
export class ListAdminKeysHandler implements IQueryHandler<ListAdminKeys> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute(): Promise<readonly AdminKey[]> {
    return this.provisioning.listAdminKeys();
  }
}

export const KEY_HANDLERS = [IssueApiKeyHandler, RevokeApiKeyHandler, ListAdminKeysHandler];
