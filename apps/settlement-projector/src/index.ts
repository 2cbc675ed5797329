export { startSettlement, type RunningSettlement } from './settlement.start.js';
