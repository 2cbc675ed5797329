export * from './start-browser.js';
