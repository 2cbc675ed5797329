export { LISTS_MIGRATIONS } from './control/control.tables.js';
