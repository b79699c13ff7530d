// Moves a Word document's notes from the end of mammoth's HTML to behind the block that refers to them. At the end they would stand under
// the last heading.

const note = /<li id="((?:foot|end)note-[^"<>]{1,20})">/g;
const blockOrReference = /<(\/?)(?:p|h[1-6]|table|ol|ul)\b[^>]*>|href="#((?:foot|end)note-[^"<>]{1,20})"/g;

export function placeNotes(markup: string): string {
  const { body, notes } = splitNotes(markup);
  if (notes.size === 0) return markup;
  const numbers = new Map([...notes.keys()].map((id, i) => [id, i + 1]));
  let out = "";
  let at = 0;
  let depth = 0;
  let waiting = new Set<string>();
  const place = (end: number) => {
    out += body.slice(at, end);
    for (const id of waiting) {
      const text = (notes.get(id) ?? "").replace(/^<p>/, "");
      out += `<p>[${numbers.get(id)}] ${text}`;
      notes.delete(id);
    }
    waiting = new Set();
    at = end;
  };
  for (const found of body.matchAll(blockOrReference)) {
    const [tag, closing, id] = found;
    if (id !== undefined) {
      if (notes.has(id)) waiting.add(id);
      continue;
    }
    depth += closing ? -1 : 1;
    if (depth === 0 && waiting.size > 0) place(found.index + tag.length);
  }
  // References outside of any block, and notes that nothing refers to.
  waiting = new Set(notes.keys());
  place(body.length);
  return out;
}

/** The HTML without the list of notes at its end, and the HTML of each note by its id. */
function splitNotes(markup: string): { body: string; notes: Map<string, string> } {
  const found = [...markup.matchAll(note)];
  const start = found[0] ? markup.lastIndexOf("<ol>", found[0].index) : markup.length;
  const notes = new Map<string, string>();
  found.forEach(({ 0: tag, 1: id = "", index }, i) => {
    const end = found[i + 1]?.index ?? markup.length;
    const text = markup.slice(index + tag.length, end).replace(/<\/li>(?:<\/ol>)?\s*$/, "");
    // The way back to the reference says nothing.
    notes.set(id, text.replace(/ ?<a href="#(?:foot|end)note-ref-[^"<>]{1,20}">[^<]*<\/a>/g, ""));
  });
  return { body: markup.slice(0, start), notes };
}
