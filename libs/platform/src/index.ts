export { openAdapters, type Adapters, type SandboxControls } from './adapters.js';
export { AnswerSealer } from './answer.sealer.js';
export { exampleEnvironment, readConfig, settingsHelp, type Config } from './config.js';
export { crashPoints } from './crash-points.js';
export { rowsThrough } from './read-models.opening.js';
export { scrubbed } from './log.fields.js';
export { createLog, noLog, type Log } from './log.js';
export { replacePrivateFile } from './private.file.js';
export { ConfigError } from './setting.kinds.js';
export { eventsFile } from './events.file.js';
export {
  isServerAddress,
  nameOfAddress,
  nameOfStore,
  openEventStoreAt,
  STORE_ADDRESSES,
} from './store.address.js';
export { openVault, vaultPlaceOf, type ChosenVault, type VaultKeyPlace } from './vault.choice.js';
export { withStartupLock } from './startup.lock.js';
export { SandboxRefusal } from '@tillstream/sandbox';
