export * from './processor.port.js';
