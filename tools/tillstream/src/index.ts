export { type CommandContext } from './command.types.js';
export { tillstream, tillstreamProgram } from './tillstream.command.js';
