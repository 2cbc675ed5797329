export { benchCommand, type BenchTerminal } from './bench.command.js';
