export { DELIVERY_MIGRATIONS } from './deliveries.tables.js';
export {
  openPostgresDeliveryStore,
  presentPostgresDeliveryStore,
  type PostgresDeliveryOptions,
} from './postgres-delivery-store.js';
