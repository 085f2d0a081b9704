// The program of an adapter, copied into its folder: `node adapter_program.js MODULE [ABILITY...]` answers holdfast's
// requests by the class that the module exports. `--abilities MODULE` prints those that the class has as methods.
'use strict';
const { pathToFileURL } = require('url');
const { Adapter, say, serve } = require('./holdfast_adapter.js');

function refuse(why) {
  console.error(why);
  process.exit(1);
}

async function classOf(file) {
  const { default: exported } = await import(pathToFileURL(file).href);
  const found = exported && exported.default ? exported.default : exported; // compiled from TypeScript
  const methods = ['acquire', 'release', ...Object.getOwnPropertyNames(Adapter.prototype)];
  if (typeof found === 'function' && methods.every((name) => name in found.prototype)) return found;
  return refuse('it exports no lock; remedy: module.exports = class MyLock extends Adapter {...}, with acquire and ' +
    'release, and Adapter from holdfast');
}

function connected(Lock, hello, can) {
  try {
    const lock = new Lock(hello);
    lock.can = [...lock.can, ...can];
    return lock;
  } catch (error) {
    say({ n: hello.n, is: 'fail', why: String(error).slice(0, 500) });
    throw error;
  }
}

async function main([first, ...rest]) {
  if (first === '--abilities') {
    const { prototype } = await classOf(rest[0]);
    const words = Object.assign(Object.create(prototype), { can: [] }).words();
    process.stdout.write(JSON.stringify(words));
    process.exit(0); // a module may keep connections open
  }
  const Lock = await classOf(first);
  serve('..', (hello) => connected(Lock, hello, rest)); // '..': the version is that of package.json in this folder
}

main(process.argv.slice(2)).catch((error) => refuse(error.stack || error));
