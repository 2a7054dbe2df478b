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

/** The finding that gains most when it alone is mended; undefined: none gains. */
function bestFinding(kernel) {
  const gains = kernel.findings.filter(f => f.gain > 1);
  return gains.reduce((best, f) => (best && best.gain >= f.gain ? best : f), undefined);
}

function bestGain(kernel) {
  return bestFinding(kernel)?.gain ?? 1;
}

/** The folder that all files share, with the slash behind it. */
function sharedFolder(files) {
  const [first, ...others] = files.map(file => file.split('/').slice(0, -1));
  const differs = (first ?? []).findIndex((part, n) => others.some(other => other[n] !== part));
  return (first ?? []).slice(0, differs < 0 ? undefined : differs).map(part => `${part}/`).join('');
}

const folder = sharedFolder([...new Set(report.kernels.map(k => k.file).filter(Boolean))]);
const shortName = file => (file?.startsWith(folder) ? file.slice(folder.length) : file ?? '');

function verdictOf(kernel) {
  return kernel.findings.find(f => f.name === 'KernelVerdict')?.message ?? kernel.diagnosis.why;
}
