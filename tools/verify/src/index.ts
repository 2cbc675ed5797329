export { verifyChains, type Verification } from './verify-chains.js';
export { HELP, verifyCommand, type ExitCode, type Terminal } from './verify.command.js';
