import { ErrorCode, type Projection, type ProjectionState } from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../../openapi/endpoint.js';
import { pathParameter } from '../../openapi/parameters.js';
import * as s from '../../openapi/response.schema.js';
import { SAMPLE_TIME } from '../../openapi/samples.js';

const PROJECTION = s.shape<Projection>()('Projection', 'A list that is made from the events.', {
  name: s.text('Names the list.', 'transactions'),
  status: s.choice<ProjectionState>('What it is doing.', {
    Live: 'It follows the events.',
    Rebuilding: 'A new generation is being made beside the one that serves requests.',
    Halted: 'It met an event that it does not know; `reason` says more.',
  }),
  reason: s.optional(s.text('Why it halted.', 'unknown event type')),
  position: s.optional(s.text('Of the last event handled; opaque.', '4711')),
  lagEvents: s.integer('Events that it has not handled yet; 1000 stands for that or more.', 0, {
    minimum: 0,
  }),
  updatedAt: s.time('When it last moved on.'),
});

const PROJECTION_PAGE = s.pageOf('ProjectionPage', PROJECTION);

const projection = { name: 'transactions', status: 'Live', lagEvents: 0, updatedAt: SAMPLE_TIME };

export const PROJECTION_ENDPOINTS: EndpointTexts = {
  listProjections: {
    summary: 'List the lists that are made from events',
    description: 'Whether they follow, and how far behind they are.',
    response: pageResponse(PROJECTION_PAGE, projection),
  },
  rebuildProjection: {
    summary: 'Make a list anew',
    description: 'Responds at once. The present list serves requests until the new one has caught up.',
    path: { name: pathParameter('The list.', { minLength: 1 }, 'transactions') },
    rejections: { 404: [ErrorCode.ResourceNotFound] },
    response: answer('It has begun.', PROJECTION, { ...projection, status: 'Rebuilding' }),
  },
};
