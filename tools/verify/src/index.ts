export { verifyChains, type Verification } from './verify-chains.js';
export { HELP, verifyCommand, type ExitCode } from './verify.command.js';
