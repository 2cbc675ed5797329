import { ErrorCode, type ProcessorState } from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../../openapi/endpoint.js';
import { pathParameter } from '../../openapi/parameters.js';
import * as s from '../../openapi/response.schema.js';
import { SAMPLE_TIME } from '../../openapi/samples.js';

const PROCESSOR = s.shape<ProcessorState>()('Processor', 'Who moves the money.', {
  name: s.text('Names it.', 'sandbox'),
  state: s.choice<ProcessorState['state']>('Of this instance’s circuit breaker.', {
    Closed: 'Everything goes through.',
    Open: 'It did not respond: no new attempt is sent for a while.',
    HalfOpen: 'One attempt at a time is sent, to find out whether it responds again.',
  }),
  stopped: s.optional(
    s.inline<NonNullable<ProcessorState['stopped']>>(
      'There where an operator stopped it, on all instances.',
      {
        by: s.text('Who did.', 'Dana Field'),
        reason: s.text('Why.', 'maintenance at the processor'),
        since: s.time('Since when.'),
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
    description: 'Whether payments are sent to them, as this instance sees it.',
    response: pageResponse(PROCESSOR_PAGE, processor),
  },
  stopProcessor: {
    summary: 'Send nothing new to a processor',
    description:
      'Within 2 s, on every instance. New payments are refused before anything is sent; unknown outcomes are still asked ' +
      'for, and money still goes back.',
    path: { name },
    examples: { maintenance: ['For maintenance', { reason: stopped.reason }] },
    rejections,
    response: answer('The processor.', PROCESSOR, { ...processor, stopped }),
  },
  resumeProcessor: {
    summary: 'Send to a processor again',
    description: 'Within 2 s, on every instance.',
    path: { name },
    examples: {
      done: ['With a reason', { reason: 'maintenance is over' }],
      none: ['Without one', {}],
    },
    rejections,
    response: answer('The processor.', PROCESSOR, processor),
  },
};
