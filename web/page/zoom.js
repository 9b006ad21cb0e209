// A board that is drawn too small for fingers, made larger within its frame: each place where something may be done then has
// 24 CSS pixels of its own (WCAG 2.2, 2.5.8).

/** What a place needs, in CSS pixels. */
const FINGER = 24;
/** The closest that two places lie, in units of the picture: a vertex, and the middle of an edge at it. */
const CLOSEST = 30;
/** CSS pixels a unit, at which the closest places are far enough apart; with some room for rounding. */
const LARGE = (FINGER / CLOSEST) * 1.03;
/** What is touched within so many CSS pixels of a place may mean it; windows round where that was. */
const REACH = FINGER / 2 + 1;

/** The frame of a board, with a button that makes the board larger and shows it whole again. */
export class Zoom {
  constructor(frame, button, hint) {
    [this.frame, this.button, this.hint, this.isLarge] = [frame, button, hint, false];
    button.addEventListener('click', () => this.turn(!this.isLarge));
    // Where a finger was: browsers move a click to what they think it meant.
    frame.addEventListener('pointerdown', ({ clientX, clientY }) => { this.touched = { x: clientX, y: clientY }; }, true);
    // Before the places hear of it.
    frame.addEventListener('click', (event) => this.meet(event), true);
    window.addEventListener('resize', () => this.fit());
  }

  get picture() {
    return this.frame.querySelector('.island');
  }

  /** After each drawing: the picture keeps its size, and the frame shows what it showed. */
  fit() {
    const { picture, frame } = this;
    if (!picture) return;
    const kept = [this.left, this.top];
    frame.classList.toggle('large', this.isLarge);
    picture.style.width = this.isLarge ? `${Math.round(picture.viewBox.baseVal.width * LARGE)}px` : '';
    if (this.isLarge && kept[0] !== undefined) [frame.scrollLeft, frame.scrollTop] = kept;
    const isTight = !this.isLarge && this.places().some(({ x, y }, idx, all) =>
      all.slice(idx + 1).some((other) => Math.hypot(other.x - x, other.y - y) < FINGER));
    this.button.hidden = !this.isLarge && !isTight;
    this.button.textContent = this.isLarge ? 'Show the whole board' : 'Make the board larger';
    this.hint.textContent = isTight ? 'Places lie close together here: touching between them makes the board larger.' : '';
    // What scrolls can be reached by the keyboard.
    if (this.isLarge) frame.tabIndex = 0;
    else frame.removeAttribute('tabindex');
  }

  /** Before the board is drawn again. */
  hold() {
    [this.left, this.top] = [this.frame.scrollLeft, this.frame.scrollTop];
  }

  /** Where the places lie in the window. */
  places() {
    return [...this.frame.querySelectorAll('.target')].map((target) => {
      const { x, y, width, height } = target.querySelector('.mark').getBoundingClientRect();
      return { target, x: x + width / 2, y: y + height / 2 };
    });
  }

  /** Makes the board larger, or shows it whole; a point of the window stays in the middle of the frame. */
  turn(isLarge, at = null) {
    const { picture, frame } = this;
    const before = picture.getBoundingClientRect();
    const share = at && { x: (at.x - before.x) / before.width, y: (at.y - before.y) / before.height };
    [this.isLarge, this.left] = [isLarge, undefined];
    this.fit();
    if (!isLarge) return;
    const { width, height } = picture.getBoundingClientRect();
    const { x, y } = share ?? { x: 0.5, y: 0.5 };
    [frame.scrollLeft, frame.scrollTop] = [x * width - frame.clientWidth / 2, y * height - frame.clientHeight / 2];
  }

  /** What was touched: of places that lie too close together none is meant, and the board is made larger there; beside a
   * single one that one is. */
  meet(event) {
    // Enter, or a reader of the screen: it names its place.
    if (event.detail === 0 || !this.picture?.contains(event.target)) return;
    const { x, y } = this.touched ?? { x: event.clientX, y: event.clientY };
    const far = (place) => Math.hypot(place.x - x, place.y - y);
    const near = this.places().filter((place) => far(place) <= REACH).sort((a, b) => far(a) - far(b));
    const isMissed = near.length > 0 && !event.target.closest('.target');
    if (near.length > 1 && !this.isLarge) this.turn(true, { x, y });
    else if (isMissed) near[0].target.dispatchEvent(new MouseEvent('click'));
    else return;
    event.stopPropagation();
    event.preventDefault();
  }
}
