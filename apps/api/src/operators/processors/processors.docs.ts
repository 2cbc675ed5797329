import { ErrorCode, type ProcessorState } from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../../openapi/endpoint.js';
import { pathParameter } from '../../openapi/parameters.js';
import * as s from '../../openapi/response.schema.js';
import { SAMPLE_TIME } from '../../openapi/samples.js';

const PROCESSOR = s.shape<ProcessorState>()('Processor', 'A company that moves the money.', {
  name: s.text('The name of the processor.', 'sandbox'),
  state: s.choice<ProcessorState['state']>('The state of this instance’s circuit breaker.', {
    Closed: 'The instance sends all attempts.',
    Open: 'The processor did not respond: the instance sends no new attempt for a while.',
    HalfOpen: 'The instance sends one attempt at a time, to find out whether the processor responds again.',
  }),
  stopped: s.optional(
    s.inline<NonNullable<ProcessorState['stopped']>>(
      'Present if an operator stopped the processor, on all instances.',
      {
        by: s.text('The operator.', 'Dana Field'),
        reason: s.text('The reason.', 'maintenance at the processor'),
        since: s.time('The time of the stop.'),
      },
    ),
  ),
});

const PROCESSOR_PAGE = s.pageOf('ProcessorPage', PROCESSOR);

const name = pathParameter('The processor.', { minLength: 1 }, 'sandbox');
const rejections = { 404: [ErrorCode.ResourceNotFound] };
const processor: ProcessorState = { name: 'sandbox', state: 'Closed' };
const stopped = { by: 'Dana Field', reason: 'maintenance at the processor', since: SAMPLE_TIME };

export const PROCESSOR_ENDPOINTS: EndpointTexts = {
  listProcessors: {
    summary: 'List the processors',
    description: 'The state of the sending of attempts, as this instance sees it.',
    response: pageResponse(PROCESSOR_PAGE, processor),
  },
  stopProcessor: {
    summary: 'Stop new attempts to a processor',
    description:
      'Takes effect on every instance within 2 s. The service refuses new payments before it sends anything. It still sends ' +
      'inquiries about unknown outcomes, and reversals.',
    path: { name },
    examples: { maintenance: ['For maintenance', { reason: stopped.reason }] },
    rejections,
    response: answer('The processor.', PROCESSOR, { ...processor, stopped }),
  },
  resumeProcessor: {
    summary: 'Resume attempts to a processor',
    description: 'Takes effect on every instance within 2 s.',
    path: { name },
    examples: {
      done: ['With a reason', { reason: 'maintenance is over' }],
      none: ['Without one', {}],
    },
    rejections,
    response: answer('The processor.', PROCESSOR, processor),
  },
};
