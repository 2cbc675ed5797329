export { bankHolidays } from './bank.holidays.js';
