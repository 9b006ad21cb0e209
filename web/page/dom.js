// Elements from words. Text is always set as text: names that a record brings are never read as HTML.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else element.setAttribute(name, value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** An element of HTML. */
export const h = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/** An element of SVG. */
export const s = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

/** The element of the page with an id. */
export const by = (id) => document.getElementById(id);

/** Puts children in the place of those that an element has. */
export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

/** Waits some milliseconds. */
export const pause = (time) => new Promise((done) => setTimeout(done, time));

/** Shows a choice in a dialog: resolves to one of `options` ({ label, value }), or null. */
export function ask(title, options) {
  return new Promise((done) => {
    let chosen = null;
    const pick = (value) => () => {
      chosen = value;
      dialog.close();
    };
    const dialog = h('dialog', { class: 'ask', 'aria-label': title },
      h('h2', {}, title),
      h('ul', { class: 'plain' }, options.map(({ label, value }) =>
        h('li', {}, h('button', { type: 'button', class: 'act', onclick: pick(value) }, label)))),
      h('button', { type: 'button', class: 'quiet', onclick: pick(null) }, 'None of these'));
    dialog.addEventListener('close', () => {
      dialog.remove();
      done(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
