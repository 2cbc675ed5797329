/* Streams about the service itself: its operators, processors, lists, restores and audits. Not part of the payment domain. */

export * from './admin-keys/admin-keys.js';
export * from './history-restore/history-restore.js';
export * from './personal-data-audit/personal-data-audit.js';
export * from './processor-switch/processor-switch.js';
export * from './projection-rebuild/projection-rebuild.js';
