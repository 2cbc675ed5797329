export { migrateCommand, type MigrateEnvironment } from './migrate.command.js';
