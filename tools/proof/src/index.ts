export { audit, type Evidence } from './audit/audit.js';
export { auditDeployment, type AuditReport } from './audit/deployment.audit.js';
export { Histories, type PaymentHistory } from './audit/histories.js';
export type { Findings, Proof, ProofOptions } from './proof.types.js';
