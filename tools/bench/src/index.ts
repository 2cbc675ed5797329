export { benchCommand, type Terminal } from './bench.command.js';
