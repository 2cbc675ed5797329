export { rebuildCommand } from './rebuild.command.js';
