export { duration, grouped } from './numbers.text.js';
export { Progress, type ProgressPlace } from './progress.bar.js';
export { codeOfSignal, SIGNAL_CODES, untilSignal, type EndingSignal } from './signals.js';
export { processTerminal, type Terminal } from './terminal.js';
