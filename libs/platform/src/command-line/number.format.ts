const thousands = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** 1234567 is 1,234,567. */
export function formatCount(count: number): string {
  return thousands.format(count);
}

/** Whole seconds, rounded up: 9 s, 2 min 5 s, 1 h 3 min. */
export function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
