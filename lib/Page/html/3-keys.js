// Theme and keys of all pages.

/** What draws again in the colours of another theme. */
const redraws = [];

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  redraws.forEach(draw => draw());
}

function otherTheme() {
  setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
}

/** What a key does, by its name. */
const keys = {
  '/': () => document.getElementById('filter')?.focus(),
  t: otherTheme,
};

function onKey(event) {
  const typing = event.target.matches('input[type="search"]');
  if (event.key === 'Escape') { document.activeElement?.blur(); scrollTo(0, 0); return; }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('select')
      || event.target.matches('input[type="range"]')) return;
  if (typing && event.key !== 'Enter') return;
  const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
  if (!act) return;
  act();
  event.preventDefault();
}

document.addEventListener('keydown', onKey);
// Paper is light; charts are drawn in the colours of the theme.
let beforePrint = null;
addEventListener('beforeprint', () => {
  beforePrint = document.documentElement.dataset.theme;
  if (beforePrint === 'dark') setTheme('light');
});
addEventListener('afterprint', () => beforePrint === 'dark' && setTheme('dark'));
document.getElementById('theme').addEventListener('click', otherTheme);
document.documentElement.dataset.theme =
  matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
