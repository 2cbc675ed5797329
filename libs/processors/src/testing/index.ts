export { callOf, inquiryOf, newKey } from './call.js';
export { FaultyProcessor, type Fault, type FaultyCall } from './faulty.processor.js';
export { type ProcessorUnderTest } from './contract.stage.js';
export { processorContract } from './processor.contract.js';
