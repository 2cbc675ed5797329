import { Controller, Delete, Get, Inject, Param, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { CreatedApiKey } from '@tillstream/contracts';
import type { Config } from '@tillstream/platform';
import { apiKeyItem } from '@tillstream/presentation';
import { Callers } from '../access/callers.js';
import { MODE } from '../api.parts.js';
import type { Answer } from '../http/answer.js';
import type { ApiRequest } from '../http/api.request.js';
import { OperatorEndpoint } from '../openapi/endpoint.js';
import { KeptAnswers } from '../transactions/kept.answers.js';
import { flag } from '../validation/list.filters.js';
import { NoFieldsDto } from '../validation/no-fields.dto.js';
import { requestBody } from '../validation/request.body.js';
import { NewApiKeyDto } from './api-keys.dto.js';
import { found, merchantIdOf, operatorChange } from './merchants.answer.js';
import { IssueApiKey, RevokeApiKey } from './merchants.commands.js';
import { pageOfWhole } from './merchants.lists.js';
import { FindMerchant } from './merchants.queries.js';
import { API_KEY_ENDPOINTS } from './api-keys.docs.js';

export const API_KEY_FILTERS = { includeRevoked: flag };

/**
 * A merchant's keys: shown once, stored as hashes (`docs/spec/authentication.md#merchant-keys` and
 * `docs/spec/operators.md#api-keys`).
 */
@ApiTags('Merchants')
@Controller('admin/v1/merchants/:merchantId/api-keys')
@Callers('AdminKey')
export class ApiKeysController {
  constructor(
    private readonly kept: KeptAnswers,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(MODE) private readonly mode: Config['mode'],
  ) {}

  @Post()
  @OperatorEndpoint(API_KEY_ENDPOINTS.issue)
  async issue(@Req() request: ApiRequest, @Param('merchantId') id: string): Promise<Answer> {
    const asked = await requestBody(request, NewApiKeyDto);
    const { name, readOnly = false } = asked.body;
    // A key of one kind never reaches the processors of the other.
    const wanted = { name, readOnly, mode: this.mode === 'live' ? 'live' : 'test' } as const;
    return operatorChange(this.kept, request, asked, async (by): Promise<CreatedApiKey> => {
      const command = new IssueApiKey(by, merchantIdOf(id), wanted);
      const { keyId, key, createdAt } = await this.commands.execute(command);
      return { id: keyId, name, readOnly, key, createdAt };
    });
  }

  @Get()
  @OperatorEndpoint(API_KEY_ENDPOINTS.list, API_KEY_FILTERS)
  list(@Req() request: ApiRequest, @Param('merchantId') id: string): Promise<Answer> {
    return pageOfWhole(request, {
      filters: API_KEY_FILTERS,
      boundTo: `API keys of ${id}`,
      all: async ({ includeRevoked = false }) => {
        const { apiKeys } = found(await this.queries.execute(new FindMerchant(id)));
        return apiKeys.filter(({ revoked }) => includeRevoked || !revoked);
      },
      shown: apiKeyItem,
    });
  }

  /** It stops within 2 s, on every instance; a second time there is none. */
  @Delete(':keyId')
  @OperatorEndpoint(API_KEY_ENDPOINTS.revoke)
  async revoke(
    @Req() request: ApiRequest,
    @Param('merchantId') id: string,
    @Param('keyId') keyId: string,
  ): Promise<Answer> {
    const asked = await requestBody(request, NoFieldsDto, { mayBeEmpty: true });
    return operatorChange(this.kept, request, asked, async (by) =>
      apiKeyItem(await this.commands.execute(new RevokeApiKey(by, merchantIdOf(id), keyId))),
    );
  }
}
