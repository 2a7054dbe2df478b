// The list of kernels, the kernel that is shown, keys and theme.

const kernels = report.kernels.map((kernel, index) => ({kernel, index, extra: page.kernels[index]}));
const longest = Math.max(1, ...kernels.map(({kernel}) => kernel.predicted_time_ns ?? 0));
const severalDevices = new Set(kernels.map(({kernel}) => kernel.device)).size > 1;
/** The rows of the list: arrays of launches and instances of one kernel. */
let shown = [];
let selected = 0;

/** Time that mending the best finding saves; ranks the list. */
function saved({kernel}) {
  const gain = bestGain(kernel);
  return (kernel.predicted_time_ns ?? kernel.latency_cycles ?? 0) * (1 - 1 / gain);
}

const hasTime = ({kernel}) => kernel.predicted_time_ns !== null;

const total = (items, of) => items.filter(hasTime).reduce((sum, item) => sum + of(item), 0);
const timeOf = item => item.kernel.predicted_time_ns ?? 0;

const orders = {
  // Cycles of a warp do not compare with times.
  saved: (a, b) => hasTime(b[0]) - hasTime(a[0]) || total(b, saved) - total(a, saved)
    || saved(b[0]) - saved(a[0]),
  time: (a, b) => total(b, timeOf) - total(a, timeOf),
  name: (a, b) => a[0].kernel.demangled.localeCompare(b[0].kernel.demangled),
};

/** Launches and template instances of one kernel, that with most to save first. */
function grouped(items) {
  const groups = new Map();
  for (const item of items) {
    const key = [item.extra.base, item.kernel.file, item.kernel.device].join('\n');
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()].map(group => group.sort((a, b) => hasTime(b) - hasTime(a)
    || saved(b) - saved(a) || timeOf(b) - timeOf(a)));
}

function isUnsure(kernel) {
  return kernel.assumptions.length > 0;
}

/** What mending the best finding of each saves, in words; empty where nothing does. */
function savedText(group) {
  const sum = total(group, saved);
  return sum > 0 ? time(sum) : '';
}

/** Grid and block, and the device where there are several. */
function launchText(kernel) {
  const device = severalDevices ? `, ${kernel.device}` : '';
  const grid = kernel.launch.grid ? `grid ${shape(kernel.launch.grid)}` : 'no grid is known';
  return `${grid}, block ${shape(kernel.launch.block)}${device}`;
}

/** Where a finding is, as briefly as its kernel allows. */
function lineOf(finding, kernel) {
  if (!finding.line) return '';
  return finding.file === kernel.file ? `, line ${finding.line}`
    : `, ${finding.file.split('/').at(-1)}:${finding.line}`;
}

function row(group, position) {
  const [item] = group;
  const {kernel} = item;
  const best = bestFinding(kernel);
  const bar = make('span', {className: 'bar'});
  bar.style.display = hasTime(item) ? '' : 'none';
  bar.style.width = `${Math.max(2, 70 * (kernel.predicted_time_ns ?? 0) / longest)}px`;
  const took = make('span', {className: isUnsure(kernel) ? 'unsure' : '',
    title: isUnsure(kernel) ? `rests on ${kernel.assumptions.length} assumptions` : ''},
  time(kernel.predicted_time_ns));
  const entry = make('tr', {tabIndex: -1},
    make('td', {}, ...breakable(kernel.demangled), make('div', {className: 'quiet', title: kernel.file ?? ''},
      ...breakable(`${shortName(kernel.file)}:${kernel.line ?? ''} `), launchText(kernel)),
    group.length > 1 ? make('div', {className: 'quiet'}, `the first of ${group.length} instances and launches`) : null),
    make('td', {className: 'number'}, took, ' ', bar, group.length > 1 && hasTime(item)
      ? make('div', {className: 'quiet'}, `${time(total(group, timeOf))} in all`) : null),
    make('td', {className: 'number roomy'}, savedText(group)),
    make('td', {className: 'wide'}, item.extra.undecided ? '' : nameOfResource(kernel.diagnosis.unit)),
    make('td', {className: 'number roomy'},
      `${kernel.needed_warps.p90 === null || item.extra.undecided ? '-'
        : Math.ceil(kernel.needed_warps.p90)} of ` + kernel.occupancy.warps_per_sm),
    best ? make('td', {className: 'number'}, `${ratio(best.gain)}`, make('div',
      {className: 'quiet'}, `${best.name}${lineOf(best, kernel)}`)) : cell(''));
  entry.setAttribute('aria-selected', position === selected);
  entry.addEventListener('click', () => open(item.index));
  return entry;
}

/** Launches that fail or hang, above all others. */
function listRefused() {
  document.getElementById('refused').append(...(report.cannot_run ?? []).flatMap(kernel =>
    kernel.findings.map(finding => make('p', {className: 'finding'},
      finding.line ? `${finding.file}:${finding.line}: ` : '', ...withOptions(finding.message), ' ',
      make('b', {}, finding.name)))));
}

function list() {
  const word = document.getElementById('filter').value.toLowerCase();
  const found = kernels.filter(({kernel}) =>
    [kernel.demangled, kernel.file, kernel.device, kernel.diagnosis.unit,
      ...kernel.findings.map(f => f.name)].join(' ').toLowerCase().includes(word));
  shown = grouped(found).sort(orders[document.getElementById('order').value]);
  selected = Math.min(selected, Math.max(shown.length - 1, 0));
  document.querySelector('#list tbody').replaceChildren(...shown.map(row));
  const timed = found.filter(hasTime);
  document.querySelector('#list tfoot').replaceChildren(...timed.length > 1 ? [make('tr', {},
    make('th', {}, timed.length < found.length ? `together, of ${timed.length} with a time` : 'together'),
    cell(time(total(timed, timeOf)), true),
    make('td', {className: 'number roomy'}, time(total(timed, saved))),
    make('td', {className: 'wide'}), make('td', {className: 'roomy'}), cell(''))] : []);
  document.getElementById('count').textContent = found.length === kernels.length
    ? kernels.length === 1 ? '1 kernel' : `${kernels.length} kernels and launches` : `${found.length} of ${kernels.length}`;
}

function markSelected() {
  document.querySelectorAll('#list tbody tr').forEach((entry, position) =>
    entry.setAttribute('aria-selected', position === selected));
}

/** The same kernel and launch on all devices, this one first. */
function onDevices(kernel) {
  const same = kernels.map(item => item.kernel).filter(other => other !== kernel
    && other.name === kernel.name && other.file === kernel.file && other.device !== kernel.device
    && shape(other.launch.grid) === shape(kernel.launch.grid)
    && shape(other.launch.block) === shape(kernel.launch.block));
  return [kernel, ...same];
}

/** Where the verdict flips: each unit with the devices on which it binds. */
function agreement(group) {
  const devices = new Map();
  for (const kernel of group) {
    const unit = nameOfResource(kernel.diagnosis.unit);
    devices.set(unit, [...(devices.get(unit) ?? []), kernel.device]);
  }
  if (devices.size === 1) return `Bound by ${[...devices.keys()][0]} on each device.`;
  return `The verdict flips: ${[...devices].map(([unit, names]) =>
    `${unit} on ${names.join(', ')}`).join('; ')}.`;
}

function deviceTable(group) {
  const body = make('tbody', {}, ...group.map(kernel => make('tr', {},
    cell(kernel.device), cell(kernel.device_basis), cell(nameOfResource(kernel.diagnosis.unit)),
    cell(time(kernel.predicted_time_ns), true), cell(kernel.interval
      ? kernel.interval.time_ns.map(time).join(' to ') : '', true))));
  return make('table', {}, make('thead', {}, make('tr', {}, ...['device', 'numbers', 'bound by'].map(
    text => make('th', {}, text)), ...['time', '80 % of launches'].map(
    text => make('th', {className: 'number'}, text)))), body);
}

function facts(kernel) {
  const interval = kernel.interval ? ` (80 %: ${kernel.interval.time_ns.map(time).join(' to ')})` : '';
  const rows = [['time', time(kernel.predicted_time_ns) + interval],
    ['launch', `grid ${shape(kernel.launch.grid)}, block ${shape(kernel.launch.block)} `
      + `(${kernel.launch.sources.grid})`],
    ['occupancy', `${kernel.occupancy.warps_per_sm} warps, ${kernel.occupancy.blocks_per_sm} blocks per SM, `
      + `limited by ${kernel.occupancy.limiter}`],
    ['registers', `${kernel.registers.count} (${kernel.registers.source}), `
      + `${kernel.shared_bytes} + ${kernel.launch.dynamic_shared_bytes} B shared memory`]];
  for (const note of kernel.assumptions)
    rows.push(['assumed', note]);
  return make('table', {className: 'facts'}, make('tbody', {}, ...rows.map(([name, text]) =>
    make('tr', {}, make('th', {}, name), cell(text)))));
}

const levelNames = {dram: 'DRAM', l2: 'L2', l1: 'L1', shared: 'shared memory'};

/** Share of its peak of the busiest unit that moves data, and that computes. */
function lights(kernel) {
  const {rates} = kernel;
  const sides = [['memory', ['dram_gb_per_s', 'l2_gb_per_s', 'l1_gb_per_s', 'shared_gb_per_s'].map(
    name => [name.split('_')[0], rates[name]?.share ?? 0])],
  ['compute', [['instructions', rates.instructions_per_cycle_sm?.share ?? 0],
    ...rates.flops.map(f => [f.precision, f.giga_per_s.share ?? 0])]]];
  return make('table', {className: 'lights'}, make('tbody', {}, ...sides.map(([side, units]) => {
    const [unit, most] = units.reduce((a, b) => (b[1] > a[1] ? b : a));
    const bar = make('span', {className: 'bar'});
    bar.style.width = `${Math.min(100, 100 * most)}%`;
    return make('tr', {}, make('th', {scope: 'row'}, side),
      make('td', {className: 'track'}, bar), cell(`${levelNames[unit] ?? unit} at ${percent(most)}`));
  })));
}

/** The sequence of changes that pays, where --advise planned one. */
function planOf(kernel) {
  const plan = kernel.plan;
  if (!plan || !plan.steps.length) return null;
  return make('section', {className: 'plan'},
    make('p', {}, `From ${time(plan.before_ns)} to ${time(plan.after_ns)}:`),
    make('ol', {}, ...plan.steps.map(step => make('li', {}, make('b', {}, `${ratio(step.gain)} `),
      step.line ? `${shortName(step.file)}:${step.line}: ` : '', ...withOptions(step.what),
      ` (then ${time(step.time_ns)}, bound by ${nameOfResource(step.bound_after)}) `,
      ruleLink(step.rule)))));
}

/** The patches that mend findings, closed. */
function editsOf(kernel) {
  return kernel.findings.filter(f => f.edit).map(({edit}) => make('details', {className: 'edit'},
    make('summary', {}, `Edit: ${edit.title} (${edit.price})`),
    make('pre', {tabIndex: 0}, edit.diff)));
}

/** What to change, most first: of a plan its steps, else the first findings. */
function whatToChange(kernel) {
  const most = 3;
  const plan = planOf(kernel);
  const first = kernel.findings.filter(f => f.name !== 'KernelVerdict' && f.kind === 'passed').slice(0, most);
  const edits = editsOf(kernel);
  if (!plan && !first.length && !edits.length) return null;
  return make('section', {}, make('h3', {}, 'What to change'), ...edits, plan ?? make('ol', {}, ...first.map(f =>
    make('li', {}, f.gain ? make('b', {}, `${ratio(f.gain)} `) : null,
      f.line ? `${shortName(f.file)}:${f.line}: ` : '', ...withOptions(f.message), ' ', ruleLink(f.name)))));
}

/** What the panel of a kernel shows of its other instances and launches: a choice. */
function otherInstances(index) {
  const group = shown.find(items => items.some(item => item.index === index)) ?? [];
  if (group.length < 2) return null;
  const choice = make('select', {ariaLabel: 'instance or launch'}, ...group.map(({kernel, index: other}) =>
    make('option', {value: other, selected: other === index},
      `${kernel.demangled}, ${launchText(kernel)}, ${time(kernel.predicted_time_ns)}`)));
  choice.addEventListener('change', () => {
    open(Number(choice.value), false);
    document.querySelector('#kernel select')?.focus();
  });
  return make('p', {}, choice);
}

/** What is predicted rests on arguments or a launch that nobody gave. */
const isUndecided = kernel => kernel.predicted_time_ns === null;

function chartsOf(kernel, group) {
  if (isUndecided(kernel)) {
    const why = make('p', {className: 'quiet'}, ...withOptions(`No ${kernel.sweep ? 'other ' : ''}charts: a launch or `
      + 'arguments that decide the time are not known. gpu-occupancy analyze --write-launches writes the lines to '
      + 'fill in.'));
    return kernel.sweep && hasCharts
      ? make('div', {}, make('div', {className: 'charts'}, sweepFigure(kernel.sweep)), why) : why;
  }
  if (!hasCharts) return make('p', {className: 'quiet'}, 'Built without Chart.js: no charts.');
  const figures = [kernel.throughput_curve.length ? occupancyFigure(group) : null,
    rooflineFigure(kernel), boundsFigure(kernel), mixFigure(kernel)];
  return make('div', {className: 'charts'}, ...figures);
}

function open(index, scroll = true) {
  const {kernel, extra} = kernels[index];
  selected = Math.max(0, shown.findIndex(items => items.some(item => item.index === index)));
  markSelected();
  clearCharts();
  const group = onDevices(kernel);
  const panel = document.getElementById('kernel');
  panel.replaceChildren(...[kernels.length > 1 ? make('p', {className: 'paper quiet'},
    `The kernel that was open on the page, of ${kernels.length} kernels and launches:`) : null,
    make('h2', {}, ...breakable(kernel.demangled)), otherInstances(index),
    make('p', {className: 'verdict'}, ...withOptions(verdictOf(kernel))),
    ...group.length > 1 ? [deviceTable(group), make('p', {id: 'agreement'}, agreement(group))] : [],
    isUndecided(kernel) ? null : make('section', {}, make('h3', {}, 'What binds'),
      make('p', {}, kernel.diagnosis.why), lights(kernel)), whatToChange(kernel),
    chartsOf(kernel, group), whatIf(kernel, extra), make('h3', {}, 'Findings and waits at the source'),
    ...sourceOf(kernel, extra), make('h3', {}, 'Launch and resources'), facts(kernel)].filter(Boolean));
  drawCharts();
  if (scroll) panel.scrollIntoView({block: 'start'});
  history.replaceState(null, '', `#${index}`);
}

function move(step) {
  selected = Math.min(Math.max(selected + step, 0), shown.length - 1);
  markSelected();
  document.querySelectorAll('#list tbody tr')[selected]?.scrollIntoView({block: 'nearest'});
}

keys.j = keys.ArrowDown = () => move(1);
keys.k = keys.ArrowUp = () => move(-1);
keys.Enter = () => shown.length && open(shown[selected][0].index);
redraws.push(() => document.querySelector('#kernel h2')
  && open(Number(location.hash.slice(1)), false));
document.getElementById('filter').addEventListener('input', list);
document.getElementById('order').addEventListener('change', list);
list();
if (kernels.length) {
  const wanted = Number(location.hash.slice(1) || shown[0][0].index);
  open(wanted < kernels.length ? wanted : shown[0][0].index, Boolean(location.hash));
}
