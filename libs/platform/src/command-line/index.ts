export { formatDuration, formatCount } from './number.format.js';
export { action, runProgram, type ProgramOptions } from './program.js';
export { dataDirectory } from './data-directory.argument.js';
export { endProcess } from './process.end.js';
export { ProgressBar } from './progress-bar.js';
export { signalExitCode, SIGNAL_CODES, abortOnSignal, type EndingSignal } from './signals.js';
export { processTerminal, type Terminal } from './terminal.js';
