// Owns layout rules for every page, without a reference image: it runs inside the page.

/**
 * The current page's faults, one line each. Runs in the browser: it may use nothing of this module.
 * @param isNarrow below the width from which lists show their secondary columns
 */
export function layoutFaults(isNarrow: boolean): string[] {
  const faults: string[] = [];
  const TOLERANCE = 1.5;
  const width = document.documentElement.clientWidth;
  const nameOf = (element: Element): string => {
    const { tagName, id, className } = element;
    const words = (element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    const look = typeof className === "string" ? className.split(" ").slice(0, 3).join(".") : "";
    return `<${tagName.toLowerCase()}${id ? `#${id}` : ""}${look ? `.${look}` : ""}> "${words}"`;
  };
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  const scrolls = (value: string) => value === "auto" || value === "scroll";

  if (document.documentElement.scrollWidth > width)
    faults.push(`the page is ${document.documentElement.scrollWidth - width} px wider than the screen`);

  const texts: { box: DOMRect; element: Element }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || !node.textContent?.trim() || !isShown(element)) continue;
    if (element.closest("script, style, svg, option, [popover]:not(:popover-open), dialog:not([open])"))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
    if (boxes.length === 0) continue;
    const lines = new Set(boxes.map((box) => Math.round(box.top))).size;
    if (lines > 1 && /^[\p{L}]{2,12}$/u.test(node.textContent.trim()))
      faults.push(`a short word is broken: ${nameOf(element)}`);
    judge(element, boxes);
  }

  /** Judges whether an element's content is cut off, and how that shows. */
  function judge(element: Element, boxes: DOMRect[]): void {
    let left = -Infinity;
    let right = Infinity;
    let top = -Infinity;
    let bottom = Infinity;
    let isElliptic = false;
    let mayScroll = false;
    let isFloating = false;
    for (let at: Element | null = element; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.position === "fixed" || style.position === "sticky") isFloating = true;
      if (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none") isElliptic = true;
      if (style.overflowX !== "visible") {
        const box = at.getBoundingClientRect();
        // For screen readers only.
        if (box.width <= 1 || box.height <= 1) return;
        if (scrolls(style.overflowX) || scrolls(style.overflowY)) mayScroll = true;
        if (!mayScroll) {
          left = Math.max(left, box.left);
          right = Math.min(right, box.right);
          top = Math.max(top, box.top);
          bottom = Math.min(bottom, box.bottom);
        }
      }
    }
    if (mayScroll || isElliptic) {
      if (!mayScroll) keep();
      return;
    }
    const cut = boxes.find(
      (box) =>
        box.right > Math.min(right, width) + TOLERANCE ||
        box.left < Math.max(left, 0) - TOLERANCE ||
        box.top < top - 4 ||
        box.bottom > bottom + 4,
    );
    if (cut) faults.push(`cut off: ${nameOf(element)}`);
    keep();

    function keep(): void {
      if (isFloating) return;
      for (const box of boxes) {
        const [from, over] = [Math.max(box.left, left), Math.max(box.top, top)];
        const shown = new DOMRect(
          from,
          over,
          Math.min(box.right, right) - from,
          Math.min(box.bottom, bottom) - over,
        );
        if (shown.width > 1 && shown.height > 1) texts.push({ box: shown, element });
      }
    }
  }

  texts.sort((a, b) => a.box.top - b.box.top);
  const told = new Set<Element>();
  for (const [at, { box, element }] of texts.entries()) {
    for (const other of texts.slice(at + 1)) {
      if (other.box.top >= box.bottom) break;
      if (other.element === element || told.has(other.element)) continue;
      if (element.contains(other.element) || other.element.contains(element)) continue;
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - other.box.top;
      // Line boxes of tight lines touch; letters do not.
      if (across <= 2 || down <= Math.min(box.height, other.box.height) * 0.4) continue;
      told.add(other.element);
      faults.push(`over each other: ${nameOf(element)} and ${nameOf(other.element)}`);
    }
  }

  for (const table of document.querySelectorAll("[data-list] > table")) {
    const wrapper = table.parentElement;
    if (!wrapper || !isShown(table)) continue;
    const first = table.querySelector("tbody tr > :first-child");
    const room = first?.getBoundingClientRect().width ?? Infinity;
    if (room < 96) faults.push(`the first column of a list is ${Math.round(room)} px wide: ${nameOf(table)}`);
    if (wrapper.scrollWidth > wrapper.clientWidth + 1)
      faults.push(
        `a list is ${wrapper.scrollWidth - wrapper.clientWidth} px wider than its place: ${nameOf(table)}`,
      );
    if (isNarrow && [...table.querySelectorAll("[data-minor]")].some(isShown))
      faults.push(`a list shows its secondary columns: ${nameOf(table)}`);
  }

  for (const name of document.querySelectorAll("main .scroll-x th[scope=col] a")) {
    const wide = Math.round(name.getBoundingClientRect().width);
    if (wide > 200) faults.push(`a name makes its column ${wide} px wide: ${nameOf(name)}`);
  }

  for (const element of document.querySelectorAll("main *")) {
    const { overflowX, backgroundImage } = getComputedStyle(element);
    const isHidden = element.scrollWidth <= element.clientWidth + 1 || !isShown(element);
    if (!scrolls(overflowX) || isHidden || element.matches("[data-list], input, textarea")) continue;
    if (backgroundImage === "none") faults.push(`scrolls sideways without a sign: ${nameOf(element)}`);
  }

  // Starts of lines are aligned: headings, a section's text, a list's first column.
  const main = document.querySelector("main");
  const heading = main?.querySelector("h1");
  if (main && heading && isShown(heading) && getComputedStyle(heading).textAlign !== "center") {
    const edge = heading.getBoundingClientRect().left;
    const starters = main.querySelectorAll("section > :first-child h2, [data-list] th:first-child");
    for (const starter of starters) {
      if (!isShown(starter) || starter.closest("[data-aside], dialog")) continue;
      const range = document.createRange();
      range.selectNodeContents(starter);
      const { left, width: wide } = range.getBoundingClientRect();
      if (wide > 1 && Math.abs(left - edge) > TOLERANCE && starter.closest("[data-list]"))
        faults.push(`${Math.round(left - edge)} px beside the page's left edge: ${nameOf(starter)}`);
    }
  }

  for (const button of document.querySelectorAll("[data-list] td :is(a, button)")) {
    const cell = button.closest("td");
    const label = button.querySelector(":scope > .truncate");
    const { borderTopWidth, display } = getComputedStyle(button);
    const isFramed = display.endsWith("flex") && borderTopWidth !== "0px";
    if (!cell || !isFramed || !isShown(button) || !button.textContent?.trim()) continue;
    const isCut = label !== null && label.scrollWidth > label.clientWidth;
    const room = cell.getBoundingClientRect().right - parseFloat(getComputedStyle(cell).paddingRight);
    if (isCut || button.getBoundingClientRect().right > room + TOLERANCE)
      faults.push(`a list cuts its button: ${nameOf(button)}`);
  }

  for (const select of document.querySelectorAll<HTMLSelectElement>(
    "form:is([method=post], [data-auto]) select",
  )) {
    if (!isShown(select)) continue;
    const { offsetWidth: room, style } = select;
    const before = style.cssText;
    style.cssText += "; field-sizing: content; flex: none; width: auto; min-width: 0; max-width: none";
    const wide = select.offsetWidth;
    style.cssText = before;
    // A very long name is cut where its field has the screen's width, or a comfortable one.
    if (wide > room + TOLERANCE && room < Math.min(300, width - 80))
      faults.push(`a select cuts its choice: ${nameOf(select)} "${select.selectedOptions[0]?.text}"`);
  }

  for (const field of document.querySelectorAll<HTMLTextAreaElement>(
    "textarea[rows='1']:placeholder-shown",
  )) {
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(field);
    const lines =
      (field.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)) / parseFloat(lineHeight);
    if (isShown(field) && lines >= 2)
      faults.push(`a placeholder takes ${Math.floor(lines)} lines: "${field.placeholder}"`);
  }

  // A long name may be cut, a word of ours may not.
  for (const label of document.querySelectorAll<HTMLElement>("main td .h-5 > .truncate"))
    if (isShown(label) && label.innerText.length < 24 && label.scrollWidth > label.clientWidth)
      faults.push(`a badge cuts its words: "${label.innerText}"`);

  for (const form of document.querySelectorAll("form[data-auto]")) {
    const rows = new Set(
      [...form.children].filter(isShown).map((child) => Math.round(child.getBoundingClientRect().top)),
    );
    if (width >= 1280 && rows.size > 1)
      faults.push(`a list's filters take ${rows.size} lines: ${nameOf(form)}`);
    // A phone has room for two beside each other that are not set.
    const selects = [...form.querySelectorAll<HTMLSelectElement>(":scope > select")].filter(isShown);
    const lines = new Set(selects.map((select) => select.getBoundingClientRect().top));
    const isUnset = selects.every(({ value }) => value === "*");
    if (width < 640 && isUnset && lines.size > Math.ceil(selects.length / 2))
      faults.push(`${selects.length} filters take ${lines.size} lines: ${nameOf(form)}`);
  }

  const radios = new Set<string>();
  for (const input of document.querySelectorAll<HTMLInputElement>(
    "input[type=radio], input[type=checkbox]",
  )) {
    const { type, name, form } = input;
    if (!name || !isShown(input)) continue;
    const many = [...(form ?? document).querySelectorAll(`input[type=${type}][name="${CSS.escape(name)}"]`)];
    if (many.length < 2 || radios.has(name)) continue;
    radios.add(name);
    const group = input.closest("fieldset, [role=group], [role=radiogroup]");
    const label =
      group?.querySelector(":scope > legend")?.textContent ??
      group?.getAttribute("aria-label") ??
      document.getElementById(group?.getAttribute("aria-labelledby") ?? "")?.textContent;
    if (!label?.trim()) faults.push(`choices of "${name}" without a label for the group`);
  }

  for (const list of document.querySelectorAll("[role=tablist]")) {
    const tabs = [...list.querySelectorAll("[role=tab]")];
    if (tabs.filter((tab) => tab.getAttribute("tabindex") !== "-1").length !== 1)
      faults.push(`not exactly one tab can be reached by Tab: ${nameOf(list)}`);
    const chosen = tabs.find((tab) => tab.getAttribute("aria-selected") === "true");
    const panel = document.getElementById(chosen?.getAttribute("aria-controls") ?? "");
    if (panel?.getAttribute("role") !== "tabpanel") faults.push(`a tab without its panel: ${nameOf(list)}`);
  }

  const live = "[role=status], [role=alert], [role=log], [aria-live]:not([aria-live=off])";
  for (const region of document.querySelectorAll(live)) {
    const outer = region.parentElement?.closest(live);
    if (outer) faults.push(`spoken twice: ${nameOf(region)} within ${nameOf(outer)}`);
  }
  return faults;
}

/** The position of every box, without colours: themes must not move them. */
export function placesOf(): string[] {
  return [...document.body.querySelectorAll("*")].flatMap((element) => {
    if (element.closest("svg, script") || !element.checkVisibility()) return [];
    const { left, top, width, height } = element.getBoundingClientRect();
    return [`${element.tagName} ${[left, top, width, height].map(Math.round).join(" ")}`];
  });
}

/** The heading's distance from the screen's left; null when none is visible. */
export function headingEdge(): number | null {
  const heading = document.querySelector("main h1");
  const isSeen = heading && heading.getBoundingClientRect().width > 1;
  return isSeen ? Math.round(heading.getBoundingClientRect().left) : null;
}
