export { openSqliteDeliveryStore } from './sqlite-delivery-store.js';
export type { DeliveryFileOptions } from './delivery.file.js';
