// Numbers, elements and small helpers of all pages.

/** The inverse of packData (Views/PackData.h), given what stands in several places. */
function unpacker(values) {
  const known = [];
  function unpack(value) {
    if (Array.isArray(value)) return value.map(unpack);
    if (!value || typeof value !== 'object') return value;
    if ('$v' in value) return known[value.$v] ??= unpack(values[value.$v]);
    if ('$k' in value) {
      const keys = unpack(value.$k), columns = unpack(value.$c);
      return columns[0].map((_, row) => Object.fromEntries(keys.map((key, i) => [key, columns[i][row]])));
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unpack(member)]));
  }
  return unpack;
}

/** The JSON that the page holds under a name. */
function dataOf(name) {
  const data = JSON.parse(document.getElementById(name).textContent);
  return data.$values ? {...data, kernels: unpacker(data.$values)(data.kernels)} : data;
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

/** A text that may be broken behind the punctuation of names and paths. */
function breakable(text) {
  return (text ?? '').split(/(?<=[(,<:_/]|[a-z](?=[A-Z]))/).flatMap((part, n) =>
    (n ? [make('wbr', {}), part] : [part]));
}

/** A text of which no line ends behind the hyphens of an option; its value may be broken at ':' and ','. */
function withOptions(text) {
  return String(text ?? '').split(/(--[a-z][a-z-]*=?(?:'[^']*')?)/).flatMap((part, n) => {
    if (n % 2 === 0) return [part];
    const [name] = part.match(/^--[a-z-]*=?/);
    return [make('span', {className: 'option'}, name), ...part.slice(name.length).split(/(?<=[:,])/).flatMap(
      (value, m) => (m ? [make('wbr', {}), value] : [value]))];
  });
}

function cell(text, number = false) {
  return make('td', {className: number ? 'number' : ''}, ...withOptions(text));
}
