// Writes the adapter's folder for a lock that is a module: FOLDER/NAME, which a replay needs, too.
'use strict';
const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');
const { fileURLToPath } = require('url');

const SHIPPED = ['adapter_program.js', 'holdfast_adapter.js'];

function fileOf(module) {
  const isAddress = module instanceof URL || `${module}`.startsWith('file:');
  return path.resolve(isAddress ? fileURLToPath(module) : module);
}

function nameOf(file) {
  const words = path.basename(file).replace(/\.[^.]*$/, '').replace(/([a-z0-9])(?=[A-Z])/g, '$1_');
  return words.toLowerCase().replace(/[^a-z0-9]+/g, '_');
}

// Asks a process of its own, since the test runner may load modules in another way than Node.
function abilities(folder, file) {
  const words = [path.join(folder, 'adapter_program.js'), '--abilities', file];
  try {
    return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }));
  } catch (error) {
    throw new Error(`${file} cannot be loaded as a lock: ${(error.stderr || error.message).trim()}`);
  }
}

const write = (file, value) => fs.writeFileSync(file, JSON.stringify(value, null, 2) + '\n');

function adapterFolder({ module, servers, can = [], ...manifest }, into) {
  const file = fileOf(module);
  if (!servers) throw new TypeError(`${file}: its servers are not known; remedy: add servers: ['redis']`);
  const name = manifest.name || nameOf(file);
  const folder = path.join(into, name);
  const { version = 'unknown' } = manifest.library || {};
  fs.mkdirSync(folder, { recursive: true });
  for (const one of SHIPPED) fs.copyFileSync(path.join(__dirname, one), path.join(folder, one));
  write(path.join(folder, 'package.json'), { name, version, private: true, type: 'commonjs' }); // whatever the user's
  write(path.join(folder, 'lock.json'), {
    name,
    command: [process.execPath, './adapter_program.js', file, ...can],
    language: 'JavaScript',
    servers,
    can: [...new Set([...abilities(folder, file), ...can])].sort(),
    paths: [...SHIPPED, 'package.json', file],
    ...manifest,
  });
  return folder;
}

module.exports = { adapterFolder };
