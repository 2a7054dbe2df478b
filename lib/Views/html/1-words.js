// Numbers, elements and small helpers of the page.

const report = JSON.parse(document.getElementById('report').textContent);
const page = JSON.parse(document.getElementById('page').textContent);

/** Creates an element: make('td', {className: 'number'}, 'text', child, ...). */
function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

function significant(value, digits = 3) {
  if (value === null || value === undefined) return '?';
  if (value === 0) return '0';
  const text = Number(value.toPrecision(digits));
  return Math.abs(text) >= 1e6 ? text.toExponential() : String(text);
}

/** Nanoseconds in the unit that keeps them short. */
function time(ns) {
  if (ns === null || ns === undefined) return '?';
  const units = [['ns', 1], ['us', 1e3], ['ms', 1e6], ['s', 1e9]];
  const [unit, size] = units.findLast(([, least]) => ns >= least) ?? units[0];
  return `${significant(ns / size)} ${unit}`;
}

function percent(fraction) {
  return fraction === null || fraction === undefined ? '?' : `${significant(100 * fraction, 2)} %`;
}

function shape(dimensions) {
  if (!dimensions) return '?';
  const last = dimensions.findLastIndex(n => n !== 1);
  return dimensions.slice(0, Math.max(last, 0) + 1).join('x');
}

/** Colour of the theme, as CSS has it now. */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

const resourceNames = page.resources;
const nameOfResource = key => resourceNames[key] ?? key;

function bestGain(kernel) {
  return Math.max(1, ...kernel.findings.map(f => f.gain ?? 1));
}

function verdictOf(kernel) {
  return kernel.findings.find(f => f.name === 'KernelVerdict')?.message ?? kernel.diagnosis.why;
}
