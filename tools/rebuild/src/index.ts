export { HELP, rebuildCommand, type ExitCode } from './rebuild.command.js';
