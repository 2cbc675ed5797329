/** The label of the interface description that this service answers by; the header `x-api-version` of every response. */
export const API_VERSION = '2026.08.03';
