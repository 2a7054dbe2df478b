// What the page of a report knows, and its words.

const report = dataOf('report');
const page = dataOf('page');

function shape(dimensions) {
  if (!dimensions) return '?';
  const last = dimensions.findLastIndex(n => n !== 1);
  return dimensions.slice(0, Math.max(last, 0) + 1).join('x');
}

const resourceNames = page.resources;
const nameOfResource = key => resourceNames[key] ?? key;

function bestGain(kernel) {
  return Math.max(1, ...kernel.findings.map(f => f.gain ?? 1));
}

function verdictOf(kernel) {
  return kernel.findings.find(f => f.name === 'KernelVerdict')?.message ?? kernel.diagnosis.why;
}
