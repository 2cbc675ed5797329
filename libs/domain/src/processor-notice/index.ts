export * from './processor-notice.js';
