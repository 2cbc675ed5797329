/** Of Node 22.14, 23.6 and later. */
const NODE_API = 10;

/**
 * Two majors of the same driver, since none works on every Node that we support. From 13 on it speaks Node-API, of which
 * Node 20 has too little. The one before ends the process on a recent Node 24: a statement that is collected asks for its
 * environment there, and a collection may happen where there is none.
 *
 * @param nodeApi `process.versions.napi`
 */
export function driverPackage(nodeApi: string | undefined): 'better-sqlite3' | 'better-sqlite3-node-api' {
  return Number(nodeApi) >= NODE_API ? 'better-sqlite3-node-api' : 'better-sqlite3';
}
