import { Body, Controller, Delete, Get, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { ApiKeyItem, CreatedApiKey } from '@tillstream/contracts';
import { adminKeyItem, apiKeyItem } from '@tillstream/presentation';
import { Operator, type OperatorRequest } from '../../access/caller.js';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import type { JsonPage } from '../../http/json.page.js';
import { Described, RequestSchema } from '../../openapi/request.schema.js';
import { Flag, Text } from '../../validation/field.decorators.js';
import { flag } from '../../validation/list.filters.js';
import { listQuery } from '../../validation/list.query.js';
import { NoFieldsDto } from '../../validation/no-fields.dto.js';
import { found, MerchantErrors, merchantIdOf } from '../merchants/merchants.errors.js';
import { FindMerchant } from '../merchants/merchants.handlers.js';
import { IssueApiKey, ListAdminKeys, RevokeApiKey } from './keys.handlers.js';
import { ADMIN_KEY_ENDPOINTS, API_KEY_ENDPOINTS } from './keys.docs.js';

@RequestSchema('NewApiKey', 'A key of a merchant.')
class NewApiKeyDto {
  @Described('The purpose of the key.', 'Web shop')
  @Text(100, { required: true })
  name!: string;
  @Described('Whether it may only read.', false, false)
  @Flag()
  readOnly?: boolean;
}

class ApiKeyListQuery extends listQuery({
  filters: { includeRevoked: flag },
  sorts: ['createdAt'],
  totals: true,
  boundTo: ({ id }) => `API keys of ${id}`,
}) {}

/**
 * A merchant's keys: shown once, stored as hashes (`docs/spec/authentication.md#merchant-keys` and
 * `docs/spec/operators.md#api-keys`).
 */
@ApiTags('Merchants')
@Controller('admin/v1/merchants/:merchantId/api-keys')
@OperatorApi(API_KEY_ENDPOINTS)
@UseInterceptors(MerchantErrors)
export class ApiKeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  async createApiKey(
    @Operator() operator: OperatorRequest,
    @Param('merchantId') id: string,
    @Body() { name, readOnly = false }: NewApiKeyDto,
  ): Promise<CreatedApiKey> {
    const command = new IssueApiKey(operator, merchantIdOf(id), { name, readOnly });
    const { keyId, key, createdAt } = await this.commands.execute(command);
    return { id: keyId, name, readOnly, key, createdAt };
  }

  @Get()
  async listApiKeys(@Param('merchantId') id: string, @Query() query: ApiKeyListQuery): Promise<JsonPage> {
    const { includeRevoked = false } = query.filters;
    const { apiKeys } = found(await this.queries.execute(new FindMerchant(merchantIdOf(id))));
    return query.sorted(
      apiKeys.filter(({ revoked }) => includeRevoked || !revoked),
      apiKeyItem,
    );
  }

  /** The key stops within 2 s, on every instance. A second revocation finds no key. */
  @Delete(':keyId')
  async revokeApiKey(
    @Operator() operator: OperatorRequest,
    @Param('merchantId') id: string,
    @Param('keyId') keyId: string,
    @Body() _body: NoFieldsDto,
  ): Promise<ApiKeyItem> {
    return apiKeyItem(await this.commands.execute(new RevokeApiKey(operator, merchantIdOf(id), keyId)));
  }
}

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
  async listAdminKeys(@Query() query: AdminKeyListQuery): Promise<JsonPage> {
    const { includeRevoked = false } = query.filters;
    const keys = await this.queries.execute(new ListAdminKeys());
    return query.sorted(
      keys.filter(({ revokedAt }) => includeRevoked || revokedAt === undefined),
      adminKeyItem,
    );
  }
}
