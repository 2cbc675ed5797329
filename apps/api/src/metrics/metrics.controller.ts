import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Adapters, Metrics } from '@tillstream/platform';
import { ADAPTERS } from '../api.parts.js';
import { PublicApi } from '../http/endpoint.decorators.js';
import type { ApiResponse } from '../http/api.request.js';
import { METRICS_ENDPOINTS } from './metrics.docs.js';

/** For Prometheus (`docs/spec/README.md#addresses`); nothing in it is of a merchant, a person or a payment. */
@ApiTags('Health')
@Controller('metrics')
@PublicApi(METRICS_ENDPOINTS)
export class MetricsController {
  private readonly metrics: Metrics;

  constructor(@Inject(ADAPTERS) { observability }: Adapters) {
    this.metrics = observability.metrics;
  }

  @Get()
  async getMetrics(@Res() response: ApiResponse): Promise<void> {
    const { contentType, body } = await this.metrics.text();
    response.writeHead(200, {
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    });
    response.end(body);
  }
}
