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

/** Plots, one below the other, under a title, as the text of one SVG file. */
export function standalone(title: string, plots: readonly { name: string; svg: SVGSVGElement }[]): string {
  const top = 40;
  const heading = 24;
  const width = Math.max(...plots.map(({ svg }) => svg.width.baseVal.value)) + 24;
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
  for (const { name, svg } of plots) {
    if (name) {
      add('text', { x: 12, y: y + 14, 'font-size': 13, fill: ink, 'font-family': page.fontFamily }, name);
      y += heading;
    }
    const copy = svg.cloneNode(true) as SVGSVGElement;
    freeze(svg, copy);
    copy.setAttribute('x', '12');
    copy.setAttribute('y', String(y));
    whole.append(copy);
    y += svg.height.baseVal.value + 12;
  }
  whole.setAttribute('xmlns', namespace);
  whole.setAttribute('width', String(width));
  whole.setAttribute('height', String(y));
  whole.setAttribute('viewBox', `0 0 ${width} ${y}`);
  return new XMLSerializer().serializeToString(whole);
}
