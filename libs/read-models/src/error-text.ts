/** The message of what was thrown, or its text if it is no `Error`. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
