export { openBareClient, type BareClient } from './bare-client.js';
