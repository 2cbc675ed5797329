import { ErrorCode, type ProcessorState } from '@tillstream/contracts';
import { ProcessorsController } from '../../operators/processors/processors.controller.js';
import { PROCESSOR, PROCESSOR_PAGE } from '../answers/operation.answers.js';
import { samplePage } from '../answers/samples.answers.js';
import { RESUME_PROCESSOR, STOP_PROCESSOR } from '../bodies/processor.bodies.js';
import { pathsOf } from '../operation.text.js';
import { listText, pathParameter } from '../parameters.js';
import { SAMPLE_TIME } from '../samples.js';

const name = pathParameter('The processor.', { minLength: 1 }, 'sandbox');
const refusals = { 404: [ErrorCode.ResourceNotFound] };
const processor: ProcessorState = { name: 'sandbox', state: 'Closed' };
const stopped = { by: 'Dana Field', reason: 'maintenance at the processor', since: SAMPLE_TIME };

export const PROCESSORS_PATHS = pathsOf(ProcessorsController, 'Processors', {
  list: {
    operationId: 'listProcessors',
    summary: 'List the processors',
    description: 'Whether payments are sent to them, as this instance sees it.',
    list: listText({}, {}),
    answer: { description: 'A page of them.', schema: PROCESSOR_PAGE, example: samplePage(processor) },
  },
  stop: {
    operationId: 'stopProcessor',
    summary: 'Send nothing new to a processor',
    description:
      'Within 2 s, on every instance. New payments are refused before anything is sent; unknown outcomes are still asked ' +
      'for, and money still goes back.',
    path: { name },
    body: {
      schema: STOP_PROCESSOR,
      examples: { maintenance: { summary: 'For maintenance', value: { reason: stopped.reason } } },
    },
    refusals,
    answer: { description: 'The processor.', schema: PROCESSOR, example: { ...processor, stopped } },
  },
  resume: {
    operationId: 'resumeProcessor',
    summary: 'Send to a processor again',
    description: 'Within 2 s, on every instance.',
    path: { name },
    body: {
      schema: RESUME_PROCESSOR,
      mayBeEmpty: true,
      examples: {
        done: { summary: 'With a reason', value: { reason: 'maintenance is over' } },
        none: { summary: 'Without one', value: {} },
      },
    },
    refusals,
    answer: { description: 'The processor.', schema: PROCESSOR, example: processor },
  },
});
