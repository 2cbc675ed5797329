import { ResolveDto } from '../../operators/unknown-outcomes/unknown-outcomes.dto.js';
import { requestSchema } from '../request.schema.js';

export const RESOLUTION = requestSchema(
  ResolveDto,
  'Resolution',
  'An operator’s word on what became of an operation.',
  {
    outcome: {
      description:
        '`Approved`: it happened; `Declined`: it was declined; `NotReceived`: the processor never got it.',
      example: 'Approved',
    },
    reason: { description: 'How you know.', example: 'told by the processor on the phone' },
    authCode: { description: 'Of an approval.', example: '004242' },
  },
);
