// Numbers, elements and small helpers of all pages.

/** The inverse of packData (Views/PackData.h). */
function unpack(value, values) {
  if (Array.isArray(value)) return value.map(element => unpack(element, values));
  if (!value || typeof value !== 'object') return value;
  if ('$v' in value) return values[value.$v];
  if ('$k' in value)
    return value.$r.map(row => Object.fromEntries(value.$k.map((key, i) => [key, unpack(row[i], values)])));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unpack(member, values)]));
}

/** The JSON that the page holds under a name. */
function dataOf(name) {
  const data = JSON.parse(document.getElementById(name).textContent);
  if (!data.$values) return data;
  const values = data.$values.map(value => unpack(value, []));
  return {...data, kernels: unpack(data.kernels, values)};
}

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

/** A factor with as many digits as text gives it (formatRatio). */
function ratio(value) {
  return `${Number(value.toFixed(value < 1.995 ? 2 : value < 10 ? 1 : 0))}x`;
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
