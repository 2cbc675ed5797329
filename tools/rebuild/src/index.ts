export { HELP, rebuildCommand, type ExitCode, type Terminal } from './rebuild.command.js';
