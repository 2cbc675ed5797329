export { duration, grouped } from './numbers.text.js';
export { action, runProgram, type ProgramOptions } from './program.js';
export { ProgressBar } from './progress-bar.js';
export { codeOfSignal, SIGNAL_CODES, untilSignal, type EndingSignal } from './signals.js';
export { processTerminal, type Terminal } from './terminal.js';
