// Loaded before a program that is measured: tells at its end what it has used, on file descriptor 3. The peak is the one of this
// program alone; `maxRSS` would begin with that of the process that started it.
import { readFileSync, writeSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const peak = Number(
    /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1],
  );
  writeSync(
    3,
    JSON.stringify({
      cpu: (userCPUTime + systemCPUTime) / 1000,
      peak: peak / 1024,
    }),
  );
});
