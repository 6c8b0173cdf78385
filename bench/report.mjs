import { cpus, release, totalmem, type } from 'node:os';

const PARTS = {
  'start-up': 'Start-up',
  files:
    'Files as `pull` writes them, one for each integration with 20 options',
  scale: 'Many integrations with 20 options each',
  growth: 'Ten times as many',
  fleet: 'Many servers with 20 integrations each',
  'by hand': 'The same by hand: a change in each, read, written and read back',
  core: 'The core alone: all options managed, every second one different',
  hostile: 'Hostile configuration, up to its findings',
  page: 'The HTML page in Chromium, in time of its main thread',
};

/** The machine, in words. */
export function machine() {
  const [{ model }] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${model}, ${cpus().length} cores that programs and server share, ${memory} GiB, ${type()} ${release()}, Node ${process.versions.node}`;
}

/** Rows as a Markdown table. A ratio is followed by the figures that it is made of: the measured one, then what it is against. */
export function table(rows) {
  const parts = Object.entries(PARTS).flatMap(([part, title]) => {
    const own = rows.filter((row) => row.part === part);
    return own.length === 0
      ? []
      : [[`**${title}**`, '', '', '', '', ''], ...own.map(cells)];
  });
  const head = ['', 'wall', 'CPU', 'peak memory', 'requests', 'goal'];
  return [head, head.map(() => '---'), ...parts]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

/** Whether a row has a goal that it does not reach; one that could not be measured does not. */
export function isMissed({ own, reference, note, goal = {} }) {
  if (note !== undefined) return 'wall' in goal;
  return Object.entries(goal).some(
    ([figure, most]) => own[figure] / reference[figure] > most,
  );
}

function cells(row) {
  const { name, count, against, note, goal = {} } = row;
  const size = count === undefined ? '' : `, ${count.toLocaleString('en')}`;
  const goals = [goal.wall, goal.peak]
    .filter((most) => most !== undefined)
    .map((most) => `${most}x`);
  const title = `${name}${size}${against === undefined ? '' : `, against ${against}`}`;
  const reached =
    goals.length === 0
      ? ''
      : `${goals.join(', memory ')}${isMissed(row) ? ': **missed**' : ''}`;
  if (note !== undefined) return [title, note, '', '', '', reached];
  return [
    title,
    ratio(row, 'wall', row.unit ?? 'ms'),
    ratio(row, 'cpu', 'ms'),
    ratio(row, 'peak', 'MiB'),
    requests(row),
    reached,
  ];
}

function ratio({ own, reference }, figure, unit) {
  if (own[figure] === undefined) return '';
  if (reference?.[figure] === undefined)
    return `${rounded(own[figure])} ${unit}`;
  const pair = `${rounded(own[figure])} / ${rounded(reference[figure])} ${unit}`;
  return `**${(own[figure] / reference[figure]).toFixed(2)}x** (${pair})`;
}

function rounded(number) {
  return number < 10
    ? number.toFixed(1)
    : Math.round(number).toLocaleString('en');
}

/** Pages read and PATCHes sent, with all others. */
function requests({ own, reference }) {
  const text = ({ reads, writes, others }) => `${reads + others} + ${writes}`;
  if (own.reads === undefined) return '';
  return reference?.reads === undefined
    ? text(own)
    : `${text(own)} / ${text(reference)}`;
}
