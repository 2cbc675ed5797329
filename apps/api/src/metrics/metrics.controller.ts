import { Controller, Get, Inject, Module, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Adapters } from '@tillstream/platform';
import { ADAPTERS } from '../api.parts.js';
import { PublicApi } from '../http/endpoint.decorators.js';
import type { ApiResponse } from '../http/api.request.js';
import { METRICS_ENDPOINTS } from './metrics.docs.js';

/** For Prometheus (`docs/spec/README.md#addresses`); nothing in it is of a merchant, a person or a payment. */
@ApiTags('Health')
@Controller('metrics')
@PublicApi(METRICS_ENDPOINTS)
class MetricsController {
  constructor(@Inject(ADAPTERS) private readonly adapters: Adapters) {}

  @Get()
  async getMetrics(@Res() response: ApiResponse): Promise<void> {
    const { contentType, body } = await this.adapters.observability.metrics.text();
    response.writeHead(200, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    });
    response.end(body);
  }
}

@Module({ controllers: [MetricsController] })
export class MetricsModule {}
