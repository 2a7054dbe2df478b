// Source lines with the waits of a warp and the findings at them.

function findingBox(finding, access) {
  const box = make('div', {className: 'finding'});
  if (finding.gain) box.append(make('b', {}, `${ratio(finding.gain)} `));
  box.append(...withOptions(finding.message), ' ', ruleLink(finding.name));
  const drawing = access && lanesDrawing(access);
  if (drawing) box.append(drawing);
  return box;
}

/** Findings to show: those to act on, and what was not analyzed. */
function shownFindings(kernel) {
  return kernel.findings.map((finding, index) => ({finding, index}))
    .filter(({finding}) => finding.name !== 'KernelVerdict' && finding.kind !== 'analysis');
}

function sourceOf(kernel, extra) {
  const parts = [];
  const rest = new Set(shownFindings(kernel));
  for (const [file, lines] of Object.entries(page.sources)) {
    const here = [...rest].filter(({finding}) => finding.file === file);
    const waits = new Map(extra.waits.filter(w => w.file === file).map(w => [w.line, w]));
    const numbers = here.map(({finding}) => finding.line).concat([...waits.keys()],
      kernel.file === file ? [kernel.line] : []);
    if (!numbers.length) continue;
    here.forEach(item => rest.delete(item));
    parts.push(make('h3', {}, ...breakable(file)), sourceBlock(lines, numbers, waits, here, extra));
  }
  const elsewhere = [...rest].map(({finding, index}) => {
    const box = findingBox(finding, extra.lanes[index]);
    if (finding.file) box.prepend(make('span', {className: 'quiet'}, `${finding.file}:${finding.line} `));
    return box;
  });
  return [...parts, ...elsewhere];
}

function sourceBlock(lines, numbers, waits, here, extra) {
  const block = make('pre', {className: 'source', tabIndex: 0});
  const wanted = new Set(numbers.flatMap(n => [n - 1, n, n + 1]));
  const first = Math.min(...numbers), last = Math.max(...numbers);
  // A kernel of a screen or two is shown whole.
  if (last - first < 80) for (let n = first; n <= last; ++n) wanted.add(n);
  let before = null;
  for (const number of [...wanted].sort((a, b) => a - b)) {
    if (lines[number] === undefined) continue;
    if (before !== null && number > before + 1) block.append(make('div', {className: 'gap'}, '...'));
    before = number;
    block.append(sourceLine(number, lines[number], waits.get(number), extra.latency));
    for (const {finding, index} of here.filter(({finding: f}) => f.line === number))
      block.append(findingBox(finding, extra.lanes[index]));
  }
  return block;
}

function sourceLine(number, text, wait, latency) {
  const share = wait ? wait.cycles / latency : 0;
  const cell = make('span', {className: 'wait'}, wait ? `${significant(wait.cycles, 2)} cy` : '');
  if (wait) {
    cell.style.background = `rgba(${colour('heat')}, ${Math.min(.5, .08 + share)})`;
    cell.title = `${percent(share)} of the latency of a warp: ${wait.why}`;
  }
  return make('div', {className: 'line'}, make('span', {}, String(number)), cell,
    make('code', {}, text || ' '));
}
