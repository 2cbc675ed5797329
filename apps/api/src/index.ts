export { startApi, type RunningApi } from './start/api.start.js';
