// Numbers, elements and small helpers of all pages.

/** The JSON that the page holds under a name. */
const dataOf = name => JSON.parse(document.getElementById(name).textContent);

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

/** Colour of the theme, as CSS has it now. */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function cell(text, number = false) {
  return make('td', {className: number ? 'number' : ''}, text);
}
