export * from './merchant-application.js';
export * from './merchant-application.decide.js';
