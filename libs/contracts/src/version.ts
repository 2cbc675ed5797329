/** The version of the public interface, in the header `x-api-version` of every response. */
export const API_VERSION = '2026.08.03';
