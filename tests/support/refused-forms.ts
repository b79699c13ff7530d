// Owns how a test sees a page's forms as a reader does: the values, each field's message, the message above the form, and whether a fold or a
// dialog hides them. Reads HTML alone; posts nothing.
import { DomUtils, parseDocument } from "htmlparser2";

type Node = ReturnType<typeof parseDocument>["children"][number];
type Element = Node & { name: string; attribs: Record<string, string> };

interface ShownField {
  name: string;
  type: string;
  value: string;
  isChecked: boolean;
  /** What can be chosen. */
  options: string[];
  /** The message at the field, as a screen reader reads it; "" when it was accepted. */
  refusal: string;
}

export interface ShownForm {
  /** The hidden field `form`. */
  name: string;
  fields: ShownField[];
  /** The message above the fields. */
  above: string;
  isInDialog: boolean;
  /** The fields with a message that a closed fold or dialog hides; "" for the message above. */
  hidden: string[];
}

const isElement = (node: Node | null | undefined): node is Element =>
  node !== null && node !== undefined && "attribs" in node;

const textOf = (node: Node): string => DomUtils.textContent(node).replace(/\s+/g, " ").trim();

function find(root: Node | Node[], fits: (element: Element) => boolean): Element[] {
  return DomUtils.findAll((one) => isElement(one) && fits(one), [root].flat()).filter(isElement);
}

const isControl = ({ name }: Element) => ["input", "textarea", "select"].includes(name);

/** The group that a choice belongs to, whose message is the group's. */
function fieldsetOf(control: Element): Element | undefined {
  const at = control.parent as Node | null;
  if (!isElement(at)) return undefined;
  return at.name === "fieldset" ? at : fieldsetOf(at);
}

function isHidden(node: Node): boolean {
  const isClosed = (one: Element) =>
    (one.name === "details" || one.name === "dialog") && !("open" in one.attribs);
  for (let at = node.parent as Node | null; isElement(at); at = at.parent as Node | null)
    if (isClosed(at)) return true;
  return false;
}

function isInDialog(node: Node): boolean {
  for (let at = node.parent as Node | null; isElement(at); at = at.parent as Node | null)
    if (at.name === "dialog") return true;
  return false;
}

/** The values of a list, or of one checkbox. */
function optionsOf(control: Element): string[] {
  if (control.name !== "select")
    return /^(checkbox|radio)$/.test(control.attribs.type ?? "") ? [currentValue(control)] : [];
  return find(control, ({ name }) => name === "option").map((one) => one.attribs.value ?? textOf(one));
}

function currentValue(control: Element): string {
  if (control.name === "textarea") return DomUtils.textContent(control).replace(/^\n/, "");
  if (control.name === "input") {
    const isTicked = control.attribs.type === "checkbox" || control.attribs.type === "radio";
    return control.attribs.value ?? (isTicked ? "on" : "");
  }
  const options = find(control, ({ name }) => name === "option");
  const chosen = options.find(({ attribs }) => "selected" in attribs) ?? options[0];
  return chosen ? (chosen.attribs.value ?? textOf(chosen)) : "";
}

/** All that a page says, without what only programs read. */
export function plainText(html: string): string {
  const { children } = parseDocument(html);
  const isUnread = (one: Element) => ["script", "style", "template"].includes(one.name);
  for (const unread of find(children, isUnread)) DomUtils.removeElement(unread as never);
  return children.map(textOf).join(" ").trim();
}

/** The forms of a page that change something. */
export function shownForms(html: string): ShownForm[] {
  const { children } = parseDocument(html);
  const byId = new Map(find(children, ({ attribs }) => "id" in attribs).map((one) => [one.attribs.id, one]));
  return find(children, ({ name, attribs }) => name === "form" && attribs.method === "post").map((form) => {
    const controls = find(form, isControl).filter(({ attribs }) => attribs.name);
    const alerts = find(form, ({ attribs }) => attribs.role === "alert");
    const messages = (control: Element) =>
      [control, fieldsetOf(control)]
        .flatMap((one) => one?.attribs["aria-describedby"]?.split(" ") ?? [])
        .flatMap((id) => (id.endsWith("-error") ? (byId.get(id) ?? []) : []));
    return {
      name: controls.find(({ attribs }) => attribs.name === "form")?.attribs.value ?? "",
      fields: controls.map((control) => ({
        name: control.attribs.name ?? "",
        type: control.name === "input" ? (control.attribs.type ?? "text") : control.name,
        value: currentValue(control),
        isChecked: "checked" in control.attribs,
        options: optionsOf(control),
        refusal: messages(control).map(textOf).join(" "),
      })),
      above: alerts.map(textOf).join(" "),
      isInDialog: isInDialog(form),
      hidden: [
        ...controls.filter((one) => messages(one).some(isHidden)).map(({ attribs }) => attribs.name ?? ""),
        ...(alerts.some(isHidden) ? [""] : []),
      ],
    };
  });
}

/** What a browser sends for a form after a person has typed. @param typed values by field; a list for several checkboxes */
export function filledForm({ fields }: ShownForm, typed: Record<string, string | string[]>): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, values] of Object.entries(typed))
    for (const value of [values].flat()) body.append(name, value);
  for (const { name, type, value, isChecked } of fields) {
    const isSent = /^(checkbox|radio)$/.test(type) ? isChecked : type !== "file" && type !== "submit";
    if (isSent && !(name in typed)) body.append(name, value);
  }
  return body;
}
