// Charts of all pages, by Chart.js.

const charts = [];
/** Charts that wait for their canvas to be on the page. */
const pending = [];

/** Whether the build put Chart.js into the page. */
const hasCharts = typeof Chart !== 'undefined';

function clearCharts() {
  while (charts.length) charts.pop().destroy();
}

function drawCharts() {
  for (const [canvas, config] of pending.splice(0)) charts.push(new Chart(canvas, config));
}

/** Draws vertical lines with a word each: options.plugins.uprights.at. */
const uprights = {
  id: 'uprights',
  afterDatasetsDraw(chart, _, options) {
    const {ctx, chartArea, scales} = chart;
    (options.at ?? []).forEach(({x, text, colour: ink}, index) => {
      const place = scales.x.getPixelForValue(x);
      if (place < chartArea.left - 1 || place > chartArea.right + 1) return;
      ctx.save();
      ctx.strokeStyle = ctx.fillStyle = ink;
      ctx.setLineDash([4, 3]);
      ctx.beginPath();
      ctx.moveTo(place, chartArea.top);
      ctx.lineTo(place, chartArea.bottom);
      ctx.stroke();
      ctx.font = '11px system-ui';
      const atRight = place > (chartArea.left + chartArea.right) / 2;
      ctx.textAlign = atRight ? 'right' : 'left';
      ctx.fillText(text, place + (atRight ? -4 : 4), chartArea.top + 11 + 13 * (index % 3));
      ctx.restore();
    });
  },
};

function axis(title, more = {}) {
  return {title: {display: true, text: title, color: colour('quiet')},
    ticks: {color: colour('quiet')}, grid: {color: colour('rule')}, ...more};
}

/** A figure with a chart; drawCharts draws it once it is on the page. */
function figure(caption, config, low = false) {
  const canvas = make('canvas', {});
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', caption);
  const element = make('figure', {}, make('figcaption', {}, caption),
    make('div', {className: low ? 'plot low' : 'plot'}, canvas));
  config.options = {animation: false, maintainAspectRatio: false, ...config.options};
  pending.push([canvas, config]);
  return element;
}

const inks = () => [colour('accent'), colour('warm'), colour('good'), '#8e5ea2', '#b8860b'];

function barsFigure(caption, rows, unit) {
  return figure(caption, {type: 'bar',
    data: {labels: rows.map(r => r[0]),
      datasets: [{data: rows.map(r => r[1]), backgroundColor: rows.map((_, i) =>
        i ? colour('quiet') : colour('accent'))}]},
    options: {indexAxis: 'y', plugins: {legend: {display: false},
      tooltip: {callbacks: {label: item => `${significant(item.parsed.x)} ${unit}`}}},
    scales: {x: axis(unit), y: {ticks: {color: colour('text'), autoSkip: false},
      grid: {display: false}}}}}, true);
}
