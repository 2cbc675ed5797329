import { CloseBatchesDto } from '../../operators/batches/batches.dto.js';
import { requestSchema } from '../request.schema.js';

export const CLOSE_BATCHES = requestSchema(CloseBatchesDto, 'CloseBatches', 'What is closed.', {
  currency: { description: 'Left out: every currency that the merchant takes.', example: 'USD' },
});
