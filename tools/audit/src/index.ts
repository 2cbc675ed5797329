export { audit, type AuditOptions, type AuditResult } from './audit.js';
export { auditCommand } from './audit.command.js';
