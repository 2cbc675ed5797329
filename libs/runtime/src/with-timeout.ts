/**
 * Resolves or rejects as `promise` does.
 * @param name for the error: `the measurement of the disk`
 * @throws Error after `ms`; `promise` itself goes on
 */
export async function withTimeout<Result>(
  ms: number,
  name: string,
  promise: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
