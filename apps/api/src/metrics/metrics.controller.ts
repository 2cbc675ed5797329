import { Controller, Get, Inject, Module, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Adapters, Metrics } from '@tillstream/platform';
import { ADAPTERS } from '../api.parts.js';
import { PublicApi } from '../http/endpoint.decorators.js';
import type { ApiResponse } from '../http/api.request.js';
import { answer, type EndpointTexts } from '../openapi/endpoint.js';

const METRICS_ENDPOINTS: EndpointTexts = {
  getMetrics: {
    summary: 'Read the metrics',
    description: 'In the text format of Prometheus. It contains no data of merchants, persons or payments.',
    response: answer(
      'One line for each value.',
      'text/plain',
      '# HELP process_cpu_seconds_total Total CPU time.\nprocess_cpu_seconds_total 1.5\n',
    ),
  },
};

/** For Prometheus (`docs/spec/README.md#addresses`); nothing in it is of a merchant, a person or a payment. */
@ApiTags('Health')
@Controller('metrics')
@PublicApi(METRICS_ENDPOINTS)
class MetricsController {
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

@Module({ controllers: [MetricsController] })
export class MetricsModule {}
