import { ErrorCode, type Projection, type ProjectionState } from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../../openapi/endpoint.js';
import { pathParameter } from '../../openapi/parameters.js';
import * as s from '../../openapi/response.schema.js';
import { SAMPLE_TIME } from '../../openapi/samples.js';

const PROJECTION = s.shape<Projection>()('Projection', 'A list that is made from the events.', {
  name: s.text('The name of the list.', 'transactions'),
  status: s.choice<ProjectionState>('The state of the list.', {
    Live: 'It follows the events.',
    Rebuilding: 'The service builds a new generation beside the one that serves requests.',
    Halted: 'It met an event of an unknown type; `reason` says more.',
  }),
  reason: s.optional(s.text('Why it halted.', 'unknown event type')),
  position: s.optional(s.text('The position of the last handled event; opaque.', '4711')),
  lagEvents: s.count('Events that it has not handled yet; 1000 means 1000 or more.', 0),
  updatedAt: s.time('When it last handled an event.'),
});

const PROJECTION_PAGE = s.pageOf('ProjectionPage', PROJECTION);

const projection = { name: 'transactions', status: 'Live', lagEvents: 0, updatedAt: SAMPLE_TIME };

export const PROJECTION_ENDPOINTS: EndpointTexts = {
  listProjections: {
    summary: 'List the lists that are made from events',
    description: 'Their states, and how far behind the events they are.',
    response: pageResponse(PROJECTION_PAGE, projection),
  },
  rebuildProjection: {
    summary: 'Rebuild a list',
    description:
      'Responds as soon as the rebuild has started. The current list serves requests until the new one has caught up.',
    path: { name: pathParameter('The list.', { minLength: 1 }, 'transactions') },
    rejections: { 404: [ErrorCode.ResourceNotFound] },
    response: answer('The rebuild has started.', PROJECTION, { ...projection, status: 'Rebuilding' }),
  },
};
