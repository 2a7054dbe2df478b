// The pages of the rules that findings name, as `gpu-occupancy explain-rule` prints them.

/** Code, emphasis and links of a line of Markdown; what links name is not on this page. */
function inline(text) {
  const forms = [[/^`(.*)`$/s, 'code'], [/^\*\*(.*)\*\*$/s, 'b'], [/^\*(.*)\*$/s, 'i'],
    [/^\[(.*)\]\(.*\)$/s, 'span']];
  return text.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\)|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).map(part => {
    const form = forms.find(([shape]) => shape.test(part));
    return form ? make(form[1], {}, part.match(form[0])[1]) : part;
  });
}

function tableOf(lines) {
  const cells = line => line.split(/(?<!\\)\|/).slice(1, -1).map(text => text.trim());
  const [head, , ...rows] = lines;
  return make('table', {}, make('thead', {}, make('tr', {}, ...cells(head).map(text =>
    make('th', {scope: 'col'}, ...inline(text))))), make('tbody', {}, ...rows.map(row =>
    make('tr', {}, ...cells(row).map(text => make('td', {}, ...inline(text)))))));
}

/** Blocks of the Markdown that pages of rules use. */
function blocksOf(markdown) {
  const pieces = markdown.split(/^```.*\n([\s\S]*?)^```$/m);
  return pieces.flatMap((piece, n) => (n % 2 ? [make('pre', {tabIndex: 0}, piece)]
    : piece.trim().split(/\n\s*\n/).filter(Boolean).map(block => {
      if (block.startsWith('# ')) return null;
      if (block.startsWith('## ')) return make('h3', {}, ...inline(block.slice(3)));
      if (block.startsWith('|')) return tableOf(block.split('\n'));
      if (block.startsWith('    ')) return make('pre', {tabIndex: 0}, block.replace(/^ {4}/gm, ''));
      if (/^[-*] /.test(block))
        return make('ul', {}, ...block.split(/^[-*] /m).filter(Boolean).map(item =>
          make('li', {}, ...inline(item.trim()))));
      return make('p', {}, ...inline(block));
    }))).filter(Boolean);
}

const rulePages = new Map(Object.entries(page.rules).map(([name, markdown]) => {
  const whole = make('details', {id: `rule-${name}`}, make('summary', {}, name));
  whole.addEventListener('toggle', () => whole.append(...blocksOf(markdown)), {once: true});
  return [name, whole];
}));

function showRule(name) {
  const shown = rulePages.get(name);
  shown.open = true;
  shown.firstChild.focus();
  shown.scrollIntoView({block: 'start'});
}

/** The name of a rule, a link to its page. */
function ruleLink(name) {
  if (!rulePages.has(name)) return `[${name}]`;
  const link = make('a', {href: `#rule-${name}`, className: 'rule'}, name);
  link.addEventListener('click', event => {
    // Behind '#' is the number of the kernel.
    event.preventDefault();
    showRule(name);
  });
  return link;
}

document.getElementById('rules').append(...rulePages.size ? [make('h2', {}, 'Rules'), ...rulePages.values()] : []);
