import { QueryHandler } from '@nestjs/cqrs';
import type { Provisioning } from '@tillstream/payments';
import { PROVISIONING } from '../../api.parts.js';
import { handlerOf, QueryOf } from '../../use-case.js';

export class ListAdminKeys extends QueryOf<Provisioning['listAdminKeys']> {}

@QueryHandler(ListAdminKeys)
export class ListAdminKeysHandler extends handlerOf(PROVISIONING, 'listAdminKeys') {}
