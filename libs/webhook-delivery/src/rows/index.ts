/* What every adapter of the deliveries does with its rows. */
export * from './attempted.delivery.js';
export * from './delivery.rows.js';
export * from './delivery.statuses.js';
export * from './due.times.js';
export * from './finished.results.js';
export * from './list.ranges.js';
