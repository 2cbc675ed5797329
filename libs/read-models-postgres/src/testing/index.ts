export * from './bare.rows.js';
export * from './fill.lists.js';
