export { audit, type Evidence } from './audit.js';
export { examine, type Examined } from './examination.js';
export { Histories, type PaymentHistory } from './histories.js';
export type { Findings, Proof, ProofOptions } from './proof.js';
