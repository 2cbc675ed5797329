export { RunningService } from './running.service.js';
export { missingFrom, script, stopsOf, type Stop } from './tour.js';
