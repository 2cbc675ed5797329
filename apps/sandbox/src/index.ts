export { startSandboxService, type RunningSandbox } from './sandbox.start.js';
