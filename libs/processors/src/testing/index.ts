export { attemptCall, inquiryFor, newKey } from './attempt-call.js';
export {
  processorFaultsContract,
  type ResponseCorrelation,
  type ProcessorBehindProxy,
} from './contract/faults.contract.js';
export { openFaultyProxy, type FaultyProxy, type ProxyFault } from './faulty.proxy.js';
export { FaultyProcessor, type ProcessorFault } from './faulty.processor.js';
export { type ProcessorMethod } from '../intercepted.processor.js';
export {
  type BankAccountKind,
  type ReceivedRequest,
  type LaterResponse,
  type ProcessorUnderTest,
  type ProcessorFeature,
  type ProcessorWithout,
} from './contract/contract.setup.js';
export { processorContract } from './contract/processor.contract.js';
export { threeDsServerContract, type ThreeDsServerUnderTest } from './contract/three-ds.contract.js';
export { SANDBOX_THREE_DS_CARDS } from './sandbox-three-ds.cards.js';
export { openSimulatedProcessor } from './simulated.processor.js';
export { TokenizingProcessor } from './tokenizing.processor.js';
export { CHALLENGED_AMOUNT, SlowBank, SUBMITTED_AMOUNT } from './slow.bank.js';
