export { HELP } from './migrate.arguments.js';
export { migrateCommand, type MigrateWorld, type Terminal } from './migrate.command.js';
