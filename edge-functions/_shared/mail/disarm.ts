// Owns making text that a client wrote harmless in a mail: mail programs make links of whatever looks like an address, in names and subjects
// too, and the mail comes from us. Pure.

/** A dot, or what browsers read as one in a host's name. */
const dots = ".\\u3002\\uff0e\\uff61\\u2024";
/** A dot with something behind it that may be the end of a host's name: not "2.0", "etc.)" or the end of a sentence. */
const dotInName = new RegExp(`(?<=[^\\s${dots}])([${dots}])(?=[^\\s\\d${dots})\\]}"'’”»,;:!?])`, "gu");
/** The beginning of an address, whatever stands behind it. */
const web = new RegExp(`\\bwww[${dots}](?=\\S)`, "giu");
const numbersOfHost = new RegExp(`\\d+(?:[${dots}]\\d+){3}`, "gu");
/** The end of a scheme: "https:", "tel:", not the colon of a time or before a space. */
const scheme = /([:：])(?<=\p{L}[\p{L}\d+.-]*[:：])(?=[^\s)\]])/gu;

/** Puts a space where an address would hold together, so that nothing in the text can be clicked. The words stay readable. */
export function disarm(text: string): string {
  return text
    .replace(numbersOfHost, (host) => host.replace(new RegExp(`[${dots}]`, "gu"), "$& "))
    .replace(scheme, "$1 ")
    .replace(web, "$& ")
    .replace(dotInName, "$1 ");
}
