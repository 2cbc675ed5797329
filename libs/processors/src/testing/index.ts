export { callOf, inquiryOf, newKey } from './call.js';
export { processorFaultsContract, type AnswersName, type ProcessorOverLine } from './faults.contract.js';
export { openFaultyLine, type FaultyLine, type LineFault } from './faulty.line.js';
export { FaultyProcessor, type Fault, type FaultyCall } from './faulty.processor.js';
export {
  type ArrivedRequest,
  type LaterAnswered,
  type ProcessorUnderTest,
  type WorldPart,
  type WorldWithout,
} from './contract.stage.js';
export { processorContract } from './processor.contract.js';
export { openSimulatedProcessor } from './simulated.processor.js';
export { TokenGiver } from './token.giver.js';
export { CHALLENGED_AMOUNT, SlowBank, SUBMITTED_AMOUNT } from './slow.bank.js';
