import { answer, type EndpointTexts } from '../openapi/endpoint.js';

export const METRICS_ENDPOINTS: EndpointTexts = {
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
