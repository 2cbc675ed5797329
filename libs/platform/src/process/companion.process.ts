/**
 * For a program that the API starts beside itself: it ends with the API, also if the API ended while this process was
 * loading. Does nothing if no process started it over a channel.
 */
export function endWithParent(): void {
  const { connected } = process as { readonly connected?: boolean };
  if (connected === undefined) return;
  if (!connected) process.exit(0);
  process.on('disconnect', () => process.exit(0));
}
