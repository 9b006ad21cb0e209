// An offer that the list lacks: to one seat, or of more cards than are listed.

import { h } from './dom.js';
import { capital } from './words.js';

/** A form for an offer, or for another trade instead; null if neither may be made now. `write(action)` takes it. */
export function offerForm({ shown, catalogue, write }) {
  const kinds = catalogue.resources ?? catalogue.island?.resources;
  const does = (word) => shown.groups.some(({ entries }) => entries.some(({ action }) => action.do === word));
  const isOffer = does('offer');
  if (!kinds || (!isOffer && !does('counter'))) return null;
  const number = (side, kind) => h('label', { class: 'count' }, h('span', {}, capital(kind)),
    h('input', { type: 'number', min: 0, max: 15, value: 0, name: `${side}-${kind}`, inputmode: 'numeric' }));
  const side = (name, legend) => h('fieldset', {}, h('legend', {}, legend),
    h('div', { class: 'counts' }, kinds.map((kind) => number(name, kind))));
  const others = Array.from({ length: shown.players }, (_, idx) => idx + 1).filter((seat) => seat !== shown.seat);
  const to = isOffer && h('label', { class: 'row' }, 'To ',
    h('select', { name: 'to' }, h('option', { value: 0 }, 'all'),
      others.map((seat) => h('option', { value: seat }, `seat ${seat}`))));
  const form = h('form', {}, side('give', 'You give'), side('want', 'You get'), to,
    h('button', { type: 'submit', class: 'act solid' }, isOffer ? 'Offer this' : 'Answer with this'));
  const cards = (name) => Object.fromEntries(kinds
    .map((kind) => [kind, Number(form.elements[`${name}-${kind}`].value)])
    .filter(([, count]) => count > 0));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const trade = { give: cards('give'), want: cards('want') };
    write(isOffer ? { do: 'offer', to: Number(form.elements.to.value), ...trade } : { do: 'counter', ...trade });
  });
  return h('details', { class: 'group' },
    h('summary', {}, h('span', { class: 'heading' }, isOffer ? 'An offer of your own' : 'Another trade of your own')), form);
}
