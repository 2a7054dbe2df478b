// The page of a device database: plots of its curves and tables, and a filter.

const plots = dataOf('plots');

/** A number in few characters: powers of 1000, or of 1024 for bytes. */
function shortNumber(value, bytes) {
  const base = bytes ? 1024 : 1000;
  const units = ['', ...bytes ? ['Ki', 'Mi', 'Gi'] : ['k', 'M', 'G']];
  let power = 0;
  while (power < 3 && Math.abs(value) >= base) { value /= base; ++power; }
  return `${significant(value)}${units[power]}`;
}

/** Powers of 2 between two numbers, few enough to be read. */
function powersOfTwo(least, most) {
  const [first, last] = [Math.ceil(Math.log2(least)), Math.floor(Math.log2(most))];
  const step = Math.max(1, Math.ceil((last - first) / 7));
  const ticks = [];
  for (let power = first; power <= last; power += step) ticks.push({value: 2 ** power});
  return ticks;
}

function plotFigure(plot) {
  const datasets = plot.lines.map((line, index) => ({label: line.name, showLine: true,
    borderColor: inks()[index % 5], backgroundColor: inks()[index % 5], borderWidth: 1.5,
    pointRadius: 2, data: line.points.map(([x, y]) => ({x, y}))}));
  const short = value => shortNumber(value, plot.bytes);
  const scale = (title, log, bytes) => axis(title, {type: log ? 'logarithmic' : 'linear',
    ticks: {color: colour('quiet'), maxTicksLimit: 9, maxRotation: 0,
      callback: value => shortNumber(value, bytes)}});
  const reach = plot.lines.flatMap(line => line.points.map(([x]) => x));
  const powers = plot.log_x ? {min: Math.min(...reach), max: Math.max(...reach),
    afterBuildTicks: scale => { scale.ticks = powersOfTwo(scale.min, scale.max); }} : {};
  const at = plot.mark ? [{x: plot.mark.x, text: plot.mark.text, colour: colour('warm')}] : [];
  return figure(plot.title, {type: 'scatter', data: {datasets}, plugins: [uprights],
    options: {parsing: false, plugins: {uprights: {at},
      legend: {display: plot.lines.length > 1, labels: {boxWidth: 12, color: colour('text')}},
      tooltip: {callbacks: {label: item => `${item.dataset.label || plot.y}: `
        + `${significant(item.parsed.y)} at ${short(item.parsed.x)}`}}},
    scales: {x: {...scale(plot.x, plot.log_x, plot.bytes), ...powers},
      y: {...scale(plot.y, plot.log_y, false), ...plot.log_y ? {} : {min: 0}}}}});
}

function draw() {
  clearCharts();
  for (const [group, list] of Object.entries(plots)) {
    const place = document.getElementById(group);
    place.replaceChildren(...hasCharts ? list.map(plotFigure)
      : [make('p', {className: 'quiet'}, 'Built without Chart.js: no charts.')]);
  }
  drawCharts();
}

document.getElementById('filter').addEventListener('input', event => {
  const word = event.target.value.toLowerCase();
  for (const row of document.querySelectorAll('tbody tr'))
    row.hidden = !row.textContent.toLowerCase().includes(word);
});
redraws.push(draw);
draw();
