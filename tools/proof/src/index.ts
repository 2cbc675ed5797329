export { audit, auditDeployment, type AuditReport, type Evidence } from './audit/deployment.audit.js';
export { Histories, type PaymentHistory } from './audit/histories.js';
export type { Findings, Proof, ProofOptions } from './proof.types.js';
