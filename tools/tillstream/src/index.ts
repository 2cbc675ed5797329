export { type World } from './command.types.js';
export { COMMANDS, HELP, tillstream } from './tillstream.command.js';
