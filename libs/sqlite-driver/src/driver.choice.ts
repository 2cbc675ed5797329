/** The version of Node 22.14, 23.6 and later. */
const NODE_API_MIN = 10;

/**
 * Two major versions of the same driver, because none works on each supported Node. Version 13 and later need a Node-API
 * that Node 20 does not have. The version before crashes a recent Node 24: the garbage collection of a statement asks for
 * an environment that may not exist then.
 *
 * @param nodeApi `process.versions.napi`
 */
export function driverPackage(nodeApi: string | undefined): 'better-sqlite3' | 'better-sqlite3-node-api' {
  return Number(nodeApi) >= NODE_API_MIN ? 'better-sqlite3-node-api' : 'better-sqlite3';
}
