import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { adminKeyItem } from '@tillstream/presentation';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import type { JsonResponse } from '../../http/json.response.js';
import { flag } from '../../validation/list.filters.js';
import { listQuery } from '../../validation/list.query.js';
import { ListAdminKeys } from './keys.handlers.js';
import { ADMIN_KEY_ENDPOINTS } from './admin-keys.docs.js';

class AdminKeyListQuery extends listQuery({
  filters: { includeRevoked: flag },
  sorts: ['createdAt'],
  totals: true,
  boundTo: () => 'admin keys',
}) {}

/**
 * *ext*: the keys of operators. They are made, exchanged and revoked on the command line of the service's own machine:
 * a stolen key can't make another one.
 */
@ApiTags('Operators')
@Controller('admin/v1/admin-keys')
@OperatorApi(ADMIN_KEY_ENDPOINTS)
export class AdminKeysController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  async listAdminKeys(@Query() query: AdminKeyListQuery): Promise<JsonResponse> {
    const { includeRevoked = false } = query.filters;
    const keys = await this.queries.execute(new ListAdminKeys());
    return query.sorted(
      keys.filter(({ revokedAt }) => includeRevoked || revokedAt === undefined),
      adminKeyItem,
    );
  }
}
