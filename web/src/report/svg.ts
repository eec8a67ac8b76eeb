// A picture on its own: what the page's style sheet says is written into it.
const properties = ['fill', 'stroke', 'color', 'font-family', 'font-size', 'stop-color'];
const namespace = 'http://www.w3.org/2000/svg';

function freeze(from: Element, to: Element) {
  const style = getComputedStyle(from);
  for (const property of properties)
    if (style.getPropertyValue(property)) to.setAttribute(property, style.getPropertyValue(property));
  to.removeAttribute('style');
  to.removeAttribute('class');
  [...from.children].forEach((child, i) => {
    const copy = to.children[i];
    if (copy) freeze(child, copy);
  });
}

interface Named {
  name: string;
  svg: SVGSVGElement;
}

/** Plots, one below the other, under a title and what their colours mean, as the text of one SVG file. */
export function standalone(title: string, plots: readonly Named[], legend: readonly Named[]): string {
  const top = 40;
  const heading = 24;
  const width = Math.max(...plots.map(({ svg }) => svg.width.baseVal.value)) + 24;
  const character = 7.5; // of a word's width at this size, px: a little more than letters have
  let y = top;
  const whole = document.createElementNS(namespace, 'svg');
  const add = (name: string, attributes: Record<string, string | number>, text = '') => {
    const element = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.textContent = text;
    whole.append(element);
  };
  const page = getComputedStyle(document.body);
  const colour = (variable: string) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = `var(${variable})`;
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
  };
  add('rect', { width: '100%', height: '100%', fill: colour('--paper') });
  const ink = colour('--ink');
  add('text', { x: 12, y: 26, 'font-size': 15, 'font-weight': 600, fill: ink, 'font-family': page.fontFamily }, title);
  const put = (svg: SVGSVGElement, x: number, at: number) => {
    const copy = svg.cloneNode(true) as SVGSVGElement;
    freeze(svg, copy);
    copy.setAttribute('x', String(x));
    copy.setAttribute('y', String(at));
    whole.append(copy);
  };
  let x = 12;
  for (const { name, svg } of legend) {
    const room = 30 + character * name.length + 14;
    if (x > 12 && x + room > width) {
      x = 12;
      y += 20;
    }
    put(svg, x, y + 1);
    add('text', { x: x + 30, y: y + 11, 'font-size': 13, fill: ink, 'font-family': page.fontFamily }, name);
    x += room;
  }
  if (legend.length > 0) y += 26;
  for (const { name, svg } of plots) {
    if (name) {
      add('text', { x: 12, y: y + 14, 'font-size': 13, fill: ink, 'font-family': page.fontFamily }, name);
      y += heading;
    }
    put(svg, 12, y);
    y += svg.height.baseVal.value + 12;
  }
  whole.setAttribute('xmlns', namespace);
  whole.setAttribute('width', String(width));
  whole.setAttribute('height', String(y));
  whole.setAttribute('viewBox', `0 0 ${width} ${y}`);
  return new XMLSerializer().serializeToString(whole);
}
