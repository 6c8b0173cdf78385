// Loaded before the program: kills it before its write number KILL_AT to a disk, or in the middle of one.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const at = Number(process.env.KILL_AT);
let count = 0;

function isTime() {
  count += 1;
  return count === at;
}

function die() {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

const half = (data) => data.slice(0, Math.ceil(data.length / 2));

/** A function that dies before it writes, or with half of it written. */
function mortal(real, position) {
  return async function (...args) {
    if (isTime()) return die();
    if (position !== undefined && isTime()) {
      args[position] = half(args[position]);
      await real.apply(this, args);
      return die();
    }
    return real.apply(this, args);
  };
}

const { promises } = fs;
const handle = await promises.open(process.execPath);
const prototype = Object.getPrototypeOf(handle);
await handle.close();
for (const name of ['mkdir', 'link', 'rename', 'rm'])
  promises[name] = mortal(promises[name]);
promises.writeFile = mortal(promises.writeFile, 1);
prototype.writeFile = mortal(prototype.writeFile, 0);
prototype.sync = mortal(prototype.sync);
syncBuiltinESMExports();
process.on('exit', () => fs.writeSync(2, `writes: ${count}\n`));
