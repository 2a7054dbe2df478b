// Charts of one kernel.

/** Throughput over occupancy, of each of the kernels; the first is the one shown. */
function occupancyFigure(kernels) {
  const shown = kernels[0];
  const at = [];
  if (shown.needed_warps.p90 !== null)
    at.push({x: shown.needed_warps.p90, text: `needs ${Math.ceil(shown.needed_warps.p90)}`,
      colour: colour('warm')});
  at.push({x: shown.occupancy.warps_per_sm, text: `has ${shown.occupancy.warps_per_sm}`,
    colour: colour('good')});
  const datasets = kernels.map((kernel, index) => {
    // The share of the first bound, which the text names as well.
    const top = kernel.bounds.length ? 1 / Math.max(...kernel.bounds.map(b => b.cycles_per_warp))
      : Math.max(...kernel.throughput_curve.map(p => p.warps_per_cycle));
    return {label: kernel.device, borderColor: inks()[index % 5], borderWidth: 2, pointRadius: 0,
      data: kernel.throughput_curve.map(p => ({x: p.warps, y: 100 * p.warps_per_cycle / top}))};
  });
  return figure('Throughput over occupancy', {type: 'line', data: {datasets}, plugins: [uprights],
    options: {parsing: false, interaction: {mode: 'index', intersect: false},
      plugins: {uprights: {at}, legend: {display: kernels.length > 1, labels: {color: colour('text')}},
        tooltip: {callbacks: {title: items => `${items[0].parsed.x} warps per SM`,
          label: item => `${significant(item.parsed.y)} % of the first bound`}}},
      scales: {x: axis('resident warps per SM', {type: 'linear', min: 0,
        max: Math.max(...kernels.map(k => k.throughput_curve.at(-1).warps))}),
        y: axis('% of the first bound', {min: 0})}}});
}

/** Time per element over sizes, of a launch that is assumed. */
function sweepFigure({points, assumed}) {
  const spots = points.map(p => ({x: p.elements, y: p.ns_per_element, all: p.time_ns}));
  const power = value => (Number.isInteger(Math.log2(value)) ? `2^${Math.log2(value)}` : significant(value));
  const element = figure('Time per element over sizes', {type: 'line', data: {datasets: [{data: spots,
    borderColor: colour('accent'), backgroundColor: colour('accent'), borderWidth: 2, pointRadius: 4}]},
  options: {parsing: false, plugins: {legend: {display: false},
    tooltip: {callbacks: {title: items => `${power(items[0].parsed.x)} elements`,
      label: item => `${significant(item.parsed.y)} ns each, ${time(item.raw.all)} in all`}}},
  scales: {x: axis('elements', {type: 'logarithmic', afterBuildTicks: scale => {
    scale.ticks = spots.map(({x}) => ({value: x}));
  }, ticks: {color: colour('quiet'), callback: power}}),
  y: axis('ns per element', {type: 'logarithmic'})}}}, true);
  element.append(make('p', {className: 'quiet'}, `A sweep over an assumed launch: ${assumed}.`));
  return element;
}

const levelInk = {l1: 0, l2: 1, dram: 2, shared: 3};

function rooflineFigure(kernel) {
  const roof = kernel.roofline;
  const points = roof.points.filter(p => p.intensity > 0 && p.gips > 0);
  const issue = roof.ceilings.find(c => c.unit === 'issue')?.gips;
  if (!issue || !points.length) return null;
  const low = Math.min(0.01, ...points.map(p => p.intensity)) / 2;
  const high = Math.max(10, ...points.map(p => p.intensity)) * 2;
  const levels = [...new Map(points.filter(p => p.gtxn_per_s?.peak)
    .map(p => [p.level, p.gtxn_per_s.peak]))];
  const roofs = levels.map(([level, peak]) => {
    const ridge = issue / peak;
    return {type: 'line', label: `${level}: ${significant(peak)} GTXN/s`, pointRadius: 0,
      borderColor: inks()[levelInk[level] ?? 4], borderWidth: 1.5,
      data: [{x: low, y: low * peak}, {x: Math.min(ridge, high), y: Math.min(issue, high * peak)},
        {x: high, y: Math.min(issue, high * peak)}]};
  });
  const dots = points.map(p => ({label: p.instructions === 'all' ? p.level
      : `${p.level}, ${p.instructions}`,
    backgroundColor: inks()[levelInk[p.level] ?? 4], pointRadius: p.instructions === 'all' ? 6 : 4,
    pointStyle: p.instructions === 'all' ? 'circle' : 'rectRot',
    data: [{x: p.intensity, y: p.gips}]}));
  const at = [];
  // Walls at one intensity share a line.
  const walls = [...(points.some(p => p.instructions.startsWith('global')) ? roof.global_walls : []),
    ...(points.some(p => p.instructions.startsWith('shared')) ? roof.shared_walls : [])];
  const places = new Map();
  for (const wall of walls)
    places.set(wall.intensity, [...(places.get(wall.intensity) ?? []), wall.name]);
  for (const [x, names] of places) at.push({x, text: names.join(', '), colour: colour('quiet')});
  return figure('Instruction roofline', {type: 'scatter', data: {datasets: [...dots, ...roofs]},
    plugins: [uprights], options: {parsing: false,
      plugins: {uprights: {at}, legend: {labels: {boxWidth: 12, color: colour('text')}},
        tooltip: {callbacks: {label: item => `${item.dataset.label}: `
          + `${significant(item.parsed.y)} GIPS at ${significant(item.parsed.x)}`}}},
      scales: {x: axis('warp instructions per transaction', {type: 'logarithmic', min: low, max: high}),
        y: axis('10^9 warp instructions per second', {type: 'logarithmic', max: 2 * issue})}}});
}

function boundsFigure(kernel) {
  const rows = kernel.bounds.filter(b => b.cycles_per_warp > 0)
    .map(b => [nameOfResource(b.resource), b.cycles_per_warp])
    .sort((a, b) => b[1] - a[1]).slice(0, 8);
  return barsFigure('Bounds by resource', rows, 'SM cycles per warp');
}

function mixFigure(kernel) {
  const rows = Object.entries(kernel.instructions.by_class).sort((a, b) => b[1] - a[1]).slice(0, 10);
  return barsFigure('Instruction mix', rows, 'instructions per warp');
}
