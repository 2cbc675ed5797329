import { EventEmitter } from 'node:events';
import { Metrics, processInfo, type Observability } from '@tillstream/platform';
import type { Caller } from '../access/caller.kinds.js';
import type { ApiRequest, ApiResponse } from '../http/api.request.js';
import { measuring } from './measured.requests.js';

const metrics = new Metrics(processInfo('api', 'sandbox'));
afterAll(() => metrics.close());

/** Traces nothing. */
const tracing = {
  enabled: false,
  request: (_request: unknown, run: () => void) => {
    run();
    return { end: () => undefined };
  },
} as unknown as Observability['tracing'];

function answer429(kind: Caller['kind']): void {
  const response = Object.assign(new EventEmitter(), { statusCode: 429, writableFinished: true });
  const request = {
    method: 'POST',
    headers: {},
    traceId: '',
    logged: {},
    caller: { kind, actor: {}, opened: {} },
  };
  measuring({ metrics, tracing })(
    request as unknown as ApiRequest,
    response as unknown as ApiResponse,
    () => undefined,
  );
  response.emit('close');
}

describe('A 429', () => {
  it('counts as rate limited for a merchant, and not for a customer of the hosted form', async () => {
    for (let n = 0; n < 3; n++) answer429('FormSession');
    answer429('MerchantKey');
    expect((await metrics.text()).body).toMatch(/^tillstream_http_rate_limited_total\{.*\} 1$/m);
  });
});
