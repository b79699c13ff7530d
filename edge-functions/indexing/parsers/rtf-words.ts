// Owns what the control words of RTF mean for where words go. Pure.

/** Where a group's words go; in "inside" only those of a text box, an object, the title. */
export type Place =
  | "text"
  | "nowhere"
  | "inside"
  | "fonts"
  | "styles"
  | "title"
  | "field"
  | "mark"
  | "header"
  | "row";

export const signs: Record<string, string> = {
  "{": "{",
  "}": "}",
  "\\": "\\",
  "~": "\u00a0",
  _: "-",
  "-": "",
  tab: "\t",
  emdash: "—",
  endash: "–",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  emspace: " ",
  enspace: " ",
  qmspace: " ",
};

export const nowhere = new Set(
  (
    "colortbl pict objclass objname objdata list listlevel listname leveltext levelnumbers lfolevel listoverride annotation atnid " +
    "atnauthor atrfstart atrfend atntime atnref atndate atnparent ftnsep ftnsepc ftncn " +
    "aftnsep aftnsepc aftncn xe tc tcn rxe listtable listoverridetable revtbl rsidtbl generator nonesttables shprslt bkmkstart bkmkend " +
    "pgdsctbl filetbl themedata colorschememapping datastore latentstyles xmlnstbl template falt panose fname nonshppict " +
    "private private1 mmathPr userprops docvar pntxta pntxtb pnseclvl fontemb fontfile formfield factoidname listpicture sv sn"
  ).split(" "),
);
export const places: Record<string, Place> = {
  fonttbl: "fonts",
  stylesheet: "styles",
  fldinst: "field",
  listtext: "mark",
  pntext: "mark",
  nesttableprops: "row",
  shpinst: "inside",
  do: "inside",
  upr: "inside",
  object: "inside",
  info: "inside",
};
export const optional = new Set(["fldinst", "nesttableprops", "shpinst", "do", "ud", "mmath", "moMath"]);
/** Groups inside of those of which only these are shown. */
export const shown = new Set(["shptxt", "dptxbxtext", "ud", "result"]);
export const header = /^(?:header|footer)[lrf]?$/;
/** Their results say nothing of the text: pages, dates of printing, the generated table of contents. */
export const passing = /^\s*(?:PAGE|NUMPAGES|SECTION|SECTIONPAGES|FILENAME|DATE|TIME|PRINTDATE|SAVEDATE)\b/i;
export const contents = /^\s*(?:TOC|INDEX)\b/i;
export const headingStyle = /^\s*(?:heading|title)\s*([1-9])?\s*;?\s*$/i;
