import { ResumeProcessorDto, StopProcessorDto } from '../../operators/processors/processors.dto.js';
import { requestSchema } from '../request.schema.js';

const reason = {
  description: 'Why, for the record. Merchants’ developers see why a processor was stopped.',
  example: 'maintenance at the processor',
};

export const STOP_PROCESSOR = requestSchema(StopProcessorDto, 'StopProcessor', 'Why it is stopped.', {
  reason,
});
export const RESUME_PROCESSOR = requestSchema(ResumeProcessorDto, 'ResumeProcessor', 'Why it goes on.', {
  reason,
});
