export { startDispatcher, type RunningDispatcher } from './dispatcher.start.js';
