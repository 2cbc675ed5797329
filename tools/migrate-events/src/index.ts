export { HELP } from './migrate.arguments.js';
export { migrateCommand, type MigrateWorld } from './migrate.command.js';
