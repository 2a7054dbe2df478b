// Another block, other registers, other shared memory: lookups in tables that
// the model filled. Blocks per SM are the least that any resource allows; the
// throughput at those warps is that of the curve.

function nearest(steps, value) {
  return steps.findIndex(step => step >= value) < 0 ? steps.length - 1
    : steps.findIndex(step => step >= value);
}

function whatIf(kernel, extra) {
  const table = extra.occupancy;
  if (!table || !kernel.throughput_curve.length) return null;
  const threads = kernel.launch.block.reduce((a, b) => a * b, 1);
  const answer = make('p', {});
  const inputs = {};
  const slider = (key, title, steps, value) => {
    const shown = make('span', {});
    const input = make('input', {type: 'range', min: 0, max: steps.length - 1,
      value: nearest(steps, value)});
    inputs[key] = () => steps[input.value];
    input.addEventListener('input', update);
    const name = () => { shown.textContent = `${title}: ${steps[input.value]}`; };
    input.addEventListener('input', name);
    name();
    return make('label', {}, shown, input);
  };
  const curveAt = warps => kernel.throughput_curve.findLast(p => p.warps <= warps)?.warps_per_cycle ?? 0;
  function update() {
    const row = table.threads.indexOf(inputs.threads());
    const perBlock = Math.ceil(inputs.threads() / 32);
    // In the order in which the tool names one of several that bind alike.
    const limits = [['warps', table.by_warps[row]], ['blocks', table.blocks],
      ['registers', table.by_registers[row][table.registers.indexOf(inputs.registers())]],
      ['shared', table.by_shared[table.shared_bytes.indexOf(inputs.shared())]],
    ].filter(([, n]) => n !== null);
    const [limiter, blocks] = limits.reduce((a, b) => (b[1] < a[1] ? b : a));
    const warps = blocks * perBlock;
    const ratio = curveAt(warps) / curveAt(kernel.occupancy.warps_per_sm);
    answer.textContent = blocks === 0 ? `Such a block does not fit an SM (${limiter}).`
      : `${blocks} blocks and ${warps} warps per SM, limited by ${limiter}: `
        + `${significant(ratio)}x the throughput of today's ${kernel.occupancy.warps_per_sm} warps.`;
  }
  const panel = make('div', {className: 'whatif'},
    slider('threads', 'threads per block', table.threads, threads),
    slider('registers', 'registers per thread', table.registers, kernel.registers.count),
    slider('shared', 'shared bytes per block', table.shared_bytes,
      kernel.shared_bytes + kernel.launch.dynamic_shared_bytes));
  update();
  return make('section', {className: 'panel'}, make('h3', {}, 'What if'), panel, answer,
    make('p', {className: 'quiet'}, 'With full SMs and the same work per warp, at the occupancy that the '
      + 'hardware would give.'));
}
