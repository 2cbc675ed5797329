export { verifyChains, type Verification } from './verify-chains.js';
export { verifyCommand } from './verify.command.js';
