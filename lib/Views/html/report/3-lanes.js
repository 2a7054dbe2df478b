// The lanes of one request, drawn on the sectors or banks that they use.

const svgSpace = 'http://www.w3.org/2000/svg';

function draw(tag, attributes, text) {
  const element = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Cells (sectors or banks) that each of the 32 lanes touches. */
function cellsOfLanes({space, stride, bytes}) {
  const unit = space === 'shared' ? 4 : 32;
  const cells = [];
  for (let lane = 0; lane < 32; ++lane) {
    const first = Math.floor(lane * stride / unit);
    const last = Math.floor((lane * stride + bytes - 1) / unit);
    for (let cell = first; cell <= last; ++cell)
      cells.push([lane, space === 'shared' ? ((cell % 32) + 32) % 32 : cell]);
  }
  return cells;
}

/** An SVG of lanes above sectors or banks; null where lanes follow no stride. */
function lanesDrawing(access) {
  if (access.stride === null || Math.abs(access.stride) > 4096) return null;
  const shared = access.space === 'shared';
  const pairs = cellsOfLanes(access);
  // Sectors far apart are drawn side by side: what counts is how many.
  const order = shared ? [...Array(32).keys()] : [...new Set(pairs.map(p => p[1]))].sort((a, b) => a - b);
  const column = new Map(order.map((cell, index) => [cell, index]));
  const width = 720, size = width / Math.max(32, order.length), lane = width / 32;
  const svg = draw('svg', {class: 'lanes', viewBox: `0 0 ${width + 70} 78`, width: width + 70,
    role: 'img', 'aria-label': access.pattern});
  svg.append(draw('text', {x: width + 6, y: 12}, '32 lanes'));
  svg.append(draw('text', {x: width + 6, y: 68}, shared ? '32 banks' : `${order.length} sectors`));
  for (let index = 0; index < 32; ++index)
    svg.append(draw('rect', {class: 'cell', x: index * lane + 1, y: 3, width: lane - 2, height: 12}));
  const load = new Map();
  for (const [from, cell] of pairs) {
    load.set(cell, (load.get(cell) ?? 0) + 1);
    svg.append(draw('line', {class: 'lane', x1: from * lane + lane / 2, y1: 15,
      x2: column.get(cell) * size + size / 2, y2: 57}));
  }
  for (const cell of order)
    svg.append(draw('rect', {class: load.get(cell) ? 'used' : 'cell', x: column.get(cell) * size + .5,
      y: 57, width: Math.max(size - 1, 1), height: 14}));
  return svg;
}
