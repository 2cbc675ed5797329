import { Controller, Get, Req } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { adminKeyItem } from '@tillstream/presentation';
import { Callers } from '../access/callers.js';
import type { Answer } from '../http/answer.js';
import type { ApiRequest } from '../http/api.request.js';
import { OperatorEndpoint } from '../openapi/endpoint.js';
import { flag } from '../validation/list.filters.js';
import { pageOfWhole } from './merchants.lists.js';
import { ListAdminKeys } from './merchants.queries.js';
import { ADMIN_KEY_ENDPOINTS } from './admin-keys.docs.js';

export const ADMIN_KEY_FILTERS = { includeRevoked: flag };

/**
 * *ext*: who can get in here. Keys are made, exchanged and revoked on the command line of the service's own machine: a
 * stolen one can't make itself at home.
 */
@ApiTags('Operators')
@Controller('admin/v1/admin-keys')
@Callers('AdminKey')
export class AdminKeysController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @OperatorEndpoint(ADMIN_KEY_ENDPOINTS.list, ADMIN_KEY_FILTERS)
  list(@Req() request: ApiRequest): Promise<Answer> {
    return pageOfWhole(request, {
      filters: ADMIN_KEY_FILTERS,
      boundTo: 'admin keys',
      all: async ({ includeRevoked = false }) => {
        const keys = await this.queries.execute(new ListAdminKeys());
        return keys.filter(({ revokedAt }) => includeRevoked || revokedAt === undefined);
      },
      shown: adminKeyItem,
    });
  }
}
