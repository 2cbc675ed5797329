import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AdminKey } from '@tillstream/domain';
import type { Provisioning } from '@tillstream/payments';
import { PROVISIONING } from '../../api.parts.js';

export class ListAdminKeys extends Query<readonly AdminKey[]> {}

@QueryHandler(ListAdminKeys)
export class ListAdminKeysHandler implements IQueryHandler<ListAdminKeys> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute(): Promise<readonly AdminKey[]> {
    return this.provisioning.listAdminKeys();
  }
}
