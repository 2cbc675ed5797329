export {
  startCompanionServer,
  type CompanionServer,
  type CompanionServerOptions,
} from './companion.server.js';
