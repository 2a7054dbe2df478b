// Two reports side by side: what got slower and faster, with the lines that caused it.

const changes = dataOf('comparison').kernels;
const severalDevices = new Set(changes.map(change => change.device)).size > 1;
const isSame = change => change.change === 'same' && !change.appeared.length && !change.gone.length;
const inkOf = {'cannot run': 'warm', slower: 'warm', 'cannot compare': 'warm', 'runs again': 'good', faster: 'good'};

function sideText(side) {
  if (!side) return '-';
  if (side.cannot_run) return 'cannot run';
  return side.predicted_time_ns === null ? `${significant(side.cycles_per_warp)} cycles per warp`
    : time(side.predicted_time_ns);
}

function findingLine(mark, finding) {
  const place = finding.line ? `${finding.file}:${finding.line}:${finding.column}: ` : '';
  return make('div', {className: mark === '+' ? 'finding' : 'quiet'}, `${mark} ${place}`,
    finding.message, ' ', make('b', {}, finding.name));
}

function boundText({before, after}) {
  const units = [before, after].filter(side => side && side.limiter).map(side => side.limiter);
  return [...new Set(units)].join(' to ');
}

function row(change) {
  const ratio = change.ratio === null ? '-' : `${significant(change.ratio)}x`;
  const word = make('b', {}, change.change);
  if (inkOf[change.change]) word.style.color = colour(inkOf[change.change]);
  return make('tr', {},
    make('td', {}, change.demangled, make('div', {className: 'quiet'},
      `${change.file}:${change.line}  ${change.launch}${severalDevices ? `, ${change.device}` : ''}`
      + `${change.data_decides ? ', data decides' : ''}`),
    ...change.appeared.map(finding => findingLine('+', finding)),
    ...change.gone.map(finding => findingLine('-', finding))),
    make('td', {}, word), cell(sideText(change.before), true), cell(sideText(change.after), true),
    cell(ratio, true), cell(boundText(change)));
}

/** How much of its time each kernel takes that got slower or faster. */
function ratiosFigure(shown) {
  const rows = shown.filter(change => inkOf[change.change] && change.ratio !== null).slice(0, 16);
  if (!hasCharts || !rows.length) return null;
  const short = text => text.length > 36 ? `${text.slice(0, 35)}…` : text;
  return figure('Time of what changed, in % of the time before', {type: 'bar',
    data: {labels: rows.map(change => short(change.demangled.split('(')[0])),
      datasets: [{data: rows.map(change => 100 * change.ratio), maxBarThickness: 26,
        backgroundColor: rows.map(change => colour(inkOf[change.change]))}]},
    plugins: [uprights],
    options: {indexAxis: 'y', plugins: {legend: {display: false},
      uprights: {at: [{x: 100, text: 'before', colour: colour('text')}]},
      tooltip: {callbacks: {label: item => `${significant(item.parsed.x)} %: `
        + `${sideText(rows[item.dataIndex].before)} to ${sideText(rows[item.dataIndex].after)}`}}},
    scales: {x: axis('% of the time before', {min: 0}),
      y: {ticks: {color: colour('text'), autoSkip: false}, grid: {display: false}}}}}, true);
}

function list() {
  const word = document.getElementById('filter').value.toLowerCase();
  const all = document.getElementById('same').checked;
  const shown = changes.filter(change => (all || !isSame(change))
    && `${change.demangled} ${change.file} ${change.device} ${change.change}`.toLowerCase().includes(word));
  document.querySelector('#list tbody').replaceChildren(...shown.map(row));
  document.getElementById('count').textContent = `${shown.length} of ${changes.length}`;
  clearCharts();
  document.getElementById('charts').replaceChildren(...[ratiosFigure(shown)].filter(Boolean));
  drawCharts();
}

document.getElementById('totals').textContent = dataOf('comparison').totals;
document.getElementById('filter').addEventListener('input', list);
document.getElementById('same').addEventListener('change', list);
redraws.push(list);
list();
